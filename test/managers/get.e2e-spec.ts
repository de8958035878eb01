import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { addManager, createOrganization, idsOf, linkOf } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let people: [Client, Client, Client, Client];
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  const companies = ['Straße', 'Beta', 'Gamma', 'Delta'];
  const accounts = await Promise.all(companies.map((companyName) => service.account({ companyName })));
  // Not in the order of the ids, so the order of joining shows.
  people = accounts.sort((one, other) => (one.id < other.id ? 1 : -1)) as typeof people;
  record = await createOrganization(people[0]);
  path = `/organizations/${record._id}/managers`;
  for (const { id } of people.slice(1)) await addManager(people[0], record._id, id);
});
afterAll(() => service.stop());

const ids = (): string[] => people.map(({ id }) => id);

describe('GET /organizations/:id/managers', () => {
  it('shows Managers and Admins all Managers, in the order of joining', async () => {
    for (const client of [people[0], people[2], service.admin]) expect(idsOf(await client.get(path))).toEqual(ids());
  });

  it('shows e-mail addresses to Admins, and to each Manager their own', async () => {
    const emails = async (client: Client): Promise<unknown[]> =>
      (await client.get(path)).body.data.map(({ email }: { email?: string }) => email);
    expect(await emails(service.admin)).toEqual(people.map(({ user }) => user.email));
    expect(await emails(people[1])).toEqual([undefined, people[1].user.email, undefined, undefined]);
  });

  it('comes in pages by skip', async () => {
    const first = await people[0].get(`${path}?limit=3`, { prefer: 'count=exact' });
    expect({ ids: idsOf(first), total: first.headers['x-total-count'] }).toEqual({
      ids: ids().slice(0, 3),
      total: '4',
    });
    expect(linkOf(first, 'next')).toBe(`${path}?limit=3&skip=3`);
    const second = await people[0].get(linkOf(first, 'next') ?? '');
    expect(idsOf(second)).toEqual(ids().slice(3));
    expect([linkOf(second, 'next'), linkOf(second, 'prev')]).toEqual([undefined, `${path}?limit=3&skip=0`]);
  });

  it.each([
    ['STRASSE', 1],
    ['user-', 4],
    ['delta', 1],
    ['roster.example', 0],
    ['.*', 0],
  ])('searches username and companyName, not the e-mail address: %s', async (q, matches) => {
    expect(idsOf(await service.admin.get(`${path}?q=${encodeURIComponent(q)}`))).toHaveLength(matches);
  });
});

describe('GET /organizations/:id/managers/:managerId', () => {
  const at = ({ id }: Client): string => `${path}/${id}`;

  it('shows the Manager as the User is now, with an ETag of what it shows', async () => {
    const person = people[1];
    const before = await person.get(at(person));
    expect(before.headers.etag).toMatch(/^"[\w-]{43}"$/);
    const companyName = 'A new company';
    await person.put(`/users/${person.id}`, person.userBody({ companyName }));
    const after = await person.get(at(person), { 'if-none-match': before.headers.etag });
    expect(after.body).toEqual({ ...before.body, companyName });
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('shows the e-mail address to Admins and to that person', async () => {
    const [one, other] = people;
    for (const client of [one, service.admin]) expect((await client.get(at(one))).body.email).toBe(one.user.email);
    expect((await other.get(at(one))).body).not.toHaveProperty('email');
  });
});

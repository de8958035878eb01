import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization, idsOf, linkOf, NO_IDS, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let people: Client[];
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  const companies = ['Straße', 'Beta', 'Gamma', 'Delta'];
  people = await Promise.all(companies.map((companyName) => service.account({ companyName })));
  // Not in the order of the ids, so that the order of joining shows.
  people.sort((one, other) => (one.id < other.id ? 1 : -1));
  record = await createOrganization(people[0]!);
  path = `/organizations/${record._id}/managers`;
  for (const { id } of people.slice(1)) await addManager(people[0]!, record._id, id);
});
afterAll(() => service.stop());

const ids = (): string[] => people.map(({ id }) => id);

describe('GET /organizations/:id/managers', () => {
  it('shows Managers and Admins all, by joining', async () => {
    for (const client of [people[0]!, people[2]!, service.admin]) expect(idsOf(await client.get(path))).toEqual(ids());
    const stranger = await service.account();
    expectFailure(await stranger.get(path), 'forbidden');
  });

  it('shows e-mail addresses to Admins and to each their own', async () => {
    const emails = async (client: Client): Promise<unknown[]> =>
      (await client.get(path)).body.data.map(({ email }: { email?: string }) => email);
    expect(await emails(service.admin)).toEqual(people.map(({ user }) => user.email));
    expect(await emails(people[1]!)).toEqual([undefined, people[1]!.user.email, undefined, undefined]);
  });

  it('comes in pages by skip, which partition it', async () => {
    const first = await people[0]!.get(`${path}?limit=3`, { prefer: 'count=exact' });
    expect(idsOf(first)).toEqual(ids().slice(0, 3));
    expect(first.headers['x-total-count']).toBe('4');
    expect(linkOf(first, 'next')).toBe(`${path}?limit=3&skip=3`);
    const second = await people[0]!.get(linkOf(first, 'next') ?? '');
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

  it.each(['after', 'slug', 'managerId'])('takes no %s', async (name) => {
    const answer = await service.admin.get(`${path}?${name}=${NOTHING}`);
    expectFailure(answer, 'invalidQuery', expect.stringContaining(`"${name}"`));
  });

  it('is not there for an Organization that is not', async () => {
    expectFailure(await service.admin.get(`/organizations/${NOTHING}/managers`), 'organizationNotFound');
  });
});

describe('GET /organizations/:id/managers/:managerId', () => {
  const at = (id: string): string => `${path}/${id}`;

  it('shows the Manager as the User is now, with an ETag of what it shows', async () => {
    const [, person] = people as [Client, Client];
    const { username, email } = person.user;
    const before = await person.get(at(person.id));
    expect(before.headers.etag).toMatch(/^"[\w-]{43}"$/);
    expect((await person.get(at(person.id), { 'if-none-match': before.headers.etag })).status).toBe(304);
    const companyName = 'A new company';
    await person.put(`/users/${person.id}`, { username, email, companyName });
    const after = await person.get(at(person.id), { 'if-none-match': before.headers.etag });
    expect(after.body).toEqual({ ...before.body, companyName });
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('shows the e-mail address to Admins and to that person', async () => {
    const [one, other] = people as [Client, Client];
    expect((await one.get(at(one.id))).body.email).toBe(one.user.email);
    expect((await service.admin.get(at(one.id))).body.email).toBe(one.user.email);
    expect((await other.get(at(one.id))).body).not.toHaveProperty('email');
  });

  it('looks for both before it looks at rights', async () => {
    const stranger = await service.account();
    expectFailure(await stranger.get(at(people[0]!.id)), 'forbidden');
    expectFailure(await stranger.get(at(stranger.id)), 'managerNotFound');
    expectFailure(await stranger.get(`/organizations/${NOTHING}/managers/${stranger.id}`), 'organizationNotFound');
  });

  it.each([NOTHING, ...NO_IDS])('names none by %s', async (id) => {
    expectFailure(await service.admin.get(at(encodeURI(id))), 'managerNotFound');
  });
});

import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { addManager, createOrganization, idsOf } from '../support/records';
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

  it('shows e-mail addresses to Admins, and to each Manager their own, also alone', async () => {
    const emails = async (client: Client): Promise<unknown[]> =>
      (await client.get(path)).body.data.map(({ email }: { email?: string }) => email);
    expect(await emails(service.admin)).toEqual(people.map(({ user }) => user.email));
    expect(await emails(people[1])).toEqual([undefined, people[1].user.email, undefined, undefined]);
    for (const client of [people[1], people[2], service.admin]) {
      const { data } = (await client.get(path)).body;
      expect((await client.get(`${path}/${people[1].id}`)).body).toEqual(data[1]);
    }
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

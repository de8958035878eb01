import { Client } from '../support/client';
import { idsOf } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let accounts: [Client, Client];
beforeAll(async () => {
  service = await startService();
  const companies = ['Straße', 'a.c*(', 'ΣΊΣΥΦΟΣ'];
  const [one, other] = await Promise.all(companies.map((companyName) => service.account({ companyName })));
  accounts = [one!, other!];
});
afterAll(() => service.stop());

describe('GET /users', () => {
  it('shows Admins all users, and others only themselves, with any filter', async () => {
    const [one, other] = accounts;
    const { body } = await service.admin.get('/users');
    expect(body.data).toHaveLength(4);
    expect(body.data).toContainEqual(one.user);
    expect((await one.get('/users')).body.data).toEqual([one.user]);
    expect(idsOf(await one.get(`/users?q=${other.user.username}`))).toEqual([]);
    const counted = await one.get('/users?q=user', { prefer: 'count=exact' });
    expect({ ids: idsOf(counted), total: counted.headers['x-total-count'] }).toEqual({ ids: [one.id], total: '1' });
  });

  it.each([
    ['username', 'USER-', 3],
    ['companyName', 'STRASSE', 1],
    ['companyName', 'σίσυφοσ', 1],
    ['companyName, not as a pattern', 'a.*', 0],
    ['email', '@ROSTER.example', 4],
    ['no two fields together', 'user-1\nstrasse', 400],
    ['no two fields together', 'user-1 strasse', 0],
  ])('searches %s: %j', async (_, q, expected) => {
    const response = await service.admin.get(`/users?q=${encodeURIComponent(q)}`);
    expect(response.status === 200 ? response.body.data.length : response.status).toBe(expected);
  });
});

it('GET /users/:id shows a User to themselves and to Admins, with the fields in the same order everywhere', async () => {
  const [one] = accounts;
  for (const client of [one, service.admin]) {
    const response = await client.get(`/users/${one.id}`);
    expect(response).toMatchObject({ status: 200, body: one.user });
    expect(Object.keys(response.body)).toEqual(Object.keys(one.user));
  }
});

import { User } from '../../src/users/user.schema';
import { ApiResponse } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { etag } from '../support/records';
import { ADMIN, Service, startService } from '../support/service';

let service: Service;
let number = 0;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const body = (fields: object = {}): Record<string, unknown> => {
  const username = `ada-${(number += 1)}`;
  const email = `${username}@engines.example`;
  return { username, companyName: 'Engines', email, password: 'difference engine', ...fields };
};
const create = (fields?: object): Promise<ApiResponse> => service.admin.post('/users', body(fields));
const count = ({ connection }: Service): Promise<number> => connection.model('User').countDocuments();

describe('POST /users', () => {
  it('creates a User and shows everything but the password', async () => {
    const given = { username: 'Ada', companyName: 'Éclair', email: 'Ada@engines.example' };
    const { status, headers, body: created } = await create(given);
    const { _id, createdAt } = created.data;
    expect({ status, location: headers.location, etag: headers.etag }).toEqual({
      status: 201,
      location: `/users/${_id}`,
      etag: etag(0),
    });
    expect(created).toEqual({ status: 'success', data: { ...given, _id, roles: [], createdAt, updatedAt: createdAt } });
    expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(10_000);
    expect((await service.admin.get(`/users/${_id}`)).body).toEqual(created.data);
    expect(await service.stored<User>('User', _id)).toMatchObject({
      usernameKey: 'ada',
      emailKey: 'ada@engines.example',
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      searchText: 'ada\néclair\nada@engines.example',
      roles: [],
      sessions: [],
      revision: 0,
    });
  });

  it.each([' 👍 pass\n', 'éè'.repeat(64)])('takes the password %j, which then logs in', async (password) => {
    const { username } = (await create({ password })).body.data;
    await service.logIn({ username, password });
  });

  it.each([
    ['username', 'usernameTaken', { username: ADMIN.username.toUpperCase() }],
    ['e-mail address', 'emailTaken', { email: ADMIN.email.toUpperCase() }],
    ['username and e-mail address', 'usernameTaken', { username: ADMIN.username, email: ADMIN.email }],
  ] as const)('refuses a %s that is taken, without regard to case', async (_, error, fields) => {
    const before = await count(service);
    expectFailure(await create(fields), error);
    expect(await count(service)).toBe(before);
  });
});

describe('POST /users with open registration', () => {
  let open: Service;
  beforeAll(async () => {
    open = await startService({ REGISTRATION: 'open' });
  });
  afterAll(() => open.stop());

  it('lets only Admins give roles, and checks the other fields first', async () => {
    const account = await open.account();
    const before = await count(open);
    for (const client of [open.nobody, account]) {
      expectFailure(await client.post('/users', body({ roles: ['admin'] })), 'forbidden');
      expectFaults(await client.post('/users', body({ roles: ['admin'], email: '' })), ['blank', 'email']);
    }
    expect(await count(open)).toBe(before);
    expect((await open.admin.post('/users', body({ roles: ['admin'] }))).status).toBe(201);
    expect((await open.nobody.post('/users', body({ roles: [] }))).status).toBe(201);
  });

  it('still checks a token that is sent', async () => {
    expectFailure(await open.nobody.post('/users', body(), { authorization: 'Bearer x' }), 'tokenUnusable');
    expectFailure(await open.nobody.post('/users', body(), { authorization: 'Basic eDp5' }), 'noCredentials');
  });
});

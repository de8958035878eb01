import { AdminList, User } from '../../src/users/user.schema';
import { ApiResponse } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { ADMIN, Service, startService } from '../support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const BODY = { username: 'Ada', companyName: 'Engines', email: 'Ada@engines.example', password: 'difference engine' };
let number = 0;
const body = (fields: object = {}): Record<string, unknown> => {
  number += 1;
  return { ...BODY, username: `ada-${number}`, email: `ada-${number}@engines.example`, ...fields };
};
const create = (fields?: object): Promise<ApiResponse> => service.admin.post('/users', body(fields));
const stored = (username: string): Promise<User | null> => service.model<User>('User').findOne({ username }).lean();

describe('POST /users', () => {
  it('creates a User, whom it shows without the password', async () => {
    const answer = await service.admin.post('/users', BODY);
    const { password: _, ...shown } = BODY;
    const { data } = answer.body;
    expect(answer).toMatchObject({ status: 201, headers: { location: `/users/${data._id}`, etag: '"1-0"' } });
    const dates = { createdAt: data.createdAt, updatedAt: data.createdAt };
    expect(answer.body).toEqual({ status: 'success', data: { ...shown, _id: data._id, roles: [], ...dates } });
    expect(Math.abs(Date.now() - Date.parse(data.createdAt))).toBeLessThan(10_000);
    const found = await service.admin.get(answer.headers.location ?? '');
    expect(found.body).toEqual(data);
  });

  it('stores keys for uniqueness, an argon2id hash instead of the password, and no session', async () => {
    await create({ username: 'Stored', companyName: 'Éclair', email: 'Stored@x.example' });
    expect(await stored('Stored')).toMatchObject({
      usernameKey: 'stored',
      emailKey: 'stored@x.example',
      passwordHash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      searchText: 'stored\néclair\nstored@x.example',
      roles: [],
      sessions: [],
      revision: 0,
    });
  });

  it('stores text trimmed and composed', async () => {
    const { body: answer } = await create({ username: ' trimmed ', companyName: '\u00a0Cafe\u0301\u3000' });
    expect(answer.data).toMatchObject({ username: 'trimmed', companyName: 'Café' });
    expect(await stored('trimmed')).toMatchObject({ companyName: 'Café' });
  });

  it('gives the role of Admin, whom the list of Admins then holds', async () => {
    const { body: answer } = await create({ roles: ['admin'] });
    expect(answer.data.roles).toEqual(['admin']);
    const list = await service.model<AdminList>('AdminList').findOne().lean();
    expect(list?.userIds.map(String)).toContain(answer.data._id);
  });

  it.each([
    ['username', 'usernameTaken', { username: ADMIN.username.toUpperCase() }],
    ['e-mail address', 'emailTaken', { email: ADMIN.email.toUpperCase() }],
    ['username and e-mail address', 'usernameTaken', { username: ADMIN.username, email: ADMIN.email }],
  ] as const)('refuses a %s that is taken, without regard to case', async (_, failure, fields) => {
    const users = await service.model('User').countDocuments();
    expectFailure(await create(fields), failure);
    expect(await service.model('User').countDocuments()).toBe(users);
  });

  it('takes read-only fields and passes them over', async () => {
    const { status, body: answer } = await create({ _id: 'x', createdAt: 1, updatedAt: null });
    expect({ status, id: answer.data._id }).toEqual({ status: 201, id: expect.stringMatching(/^[0-9a-f]{24}$/) });
  });

  it('names all faults at once, in the order of the fields, unknown ones last', async () => {
    const faulty = { zzz: 1, password: 'short', email: 'x', companyName: ' ', roles: ['root'] };
    expectFaults(
      await service.admin.post('/users', faulty),
      ['missing', 'username'],
      ['blank', 'companyName'],
      ['badFormat', 'email'],
      ['tooShort', 'password'],
      ['notOneOf', 'roles.0'],
      ['unknownField', 'zzz'],
    );
  });

  it.each([
    ['missing', 'username', null],
    ['blank', 'username', ''],
    ['wrongType', 'username', { $gt: '' }],
    ['forbiddenCharacters', 'username', 'ad\u0000a'],
    ['tooShort', 'username', 'ab'],
    ['tooLong', 'username', 'a'.repeat(31)],
    ['badFormat', 'username', '-ada'],
    ['badFormat', 'username', '_ada'],
    ['badFormat', 'username', 'ada lovelace'],
    ['badFormat', 'username', 'adä'],
    ['tooLong', 'companyName', '😀'.repeat(256)],
    ['forbiddenCharacters', 'companyName', 'a\u200bb'],
    ['forbiddenCharacters', 'companyName', '\ud800'],
    ['tooLong', 'email', `${'a'.repeat(250)}@b.de`],
    ['badFormat', 'email', 'ada@'],
    ['missing', 'password', null],
    ['tooShort', 'password', '1234567'],
    ['tooLong', 'password', 'é'.repeat(129)],
    ['tooCommon', 'password', 'Password1'],
    ['tooCommon', 'password', 'xxxxxxxx'],
    ['wrongType', 'roles', 'admin'],
    ['repeatedItem', 'roles.1', ['admin', 'admin']],
  ] as const)('%s: %s', async (fault, title, value) => {
    const field = title.split('.', 1)[0] ?? '';
    expectFaults(await create({ [field]: value }), [fault, title]);
  });

  it.each([
    ['username', 'abc'],
    ['username', `A${'-_'.repeat(14)}9`],
    ['companyName', '😀'.repeat(255)],
    ['companyName', 'نامه\u200cای'],
    ['email', `${'a'.repeat(249)}@b.de`],
    ['password', ' 👍 pass\n'],
    ['password', 'éà'.repeat(64)],
  ])('takes the %s %j', async (field, value) => {
    const answer = await create({ [field]: value });
    expect(answer.status).toBe(201);
    if (field !== 'password') expect(answer.body.data[field]).toBe(value);
    else await service.logIn({ username: answer.body.data.username as string, password: value });
  });
});

describe('POST /users with open registration', () => {
  let open: Service;
  beforeAll(async () => {
    open = await startService({ REGISTRATION: 'open' });
  });
  afterAll(() => open.stop());

  it('creates a User for nobody', async () => {
    const answer = await open.nobody.post('/users', body({ roles: [] }));
    expect(answer.status).toBe(201);
    expect(await open.model('User').countDocuments({ _id: answer.body.data._id })).toBe(1);
  });

  it('gives roles for Admins only', async () => {
    const account = await open.account();
    const users = await open.model('User').countDocuments();
    for (const client of [open.nobody, account]) {
      expectFailure(await client.post('/users', body({ roles: ['admin'] })), 'forbidden');
      expectFaults(await client.post('/users', body({ roles: ['admin'], email: '' })), ['blank', 'email']);
    }
    expect(await open.model('User').countDocuments()).toBe(users);
    expect((await open.admin.post('/users', body({ roles: ['admin'] }))).status).toBe(201);
  });

  it('judges a token that is sent all the same', async () => {
    expectFailure(await open.nobody.post('/users', body(), { authorization: 'Bearer x' }), 'tokenUnusable');
    expectFailure(await open.nobody.post('/users', body(), { authorization: 'Basic eDp5' }), 'noCredentials');
  });
});

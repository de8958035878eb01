import { setImmediate } from 'node:timers/promises';
import { symbols } from 'pino';
import type { FieldErrorName } from '../../../src/platform/base/errors/field-error';
import { PinoLoggers } from '../../../src/platform/operations/logging/pino-loggers';
import type { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { createOrganization, idsOf, newUserBody } from '../../support/records';
import { useService } from '../../support/service';
import { changeKey, keysOf, postKey, shown, withKey } from './keys';

const VALID = { name: 'x', scope: 'read', currentPassword: 'x' };

const service = useService();
let account: Client;
let other: Client;
beforeEach(async () => {
  [account, other] = [await service.account(), await service.account()];
});

const stored = ({ id }: Client): Promise<User | null> => service.stored<User>('User', id);
const put = (changes: object, client = service.admin): Promise<ApiResponse> =>
  client.put(`/users/${account.id}`, account.userBody(changes));
const adminProgram = async (): Promise<Client> => (await withKey(await service.account({ roles: ['admin'] }))).program;

describe('POST /users/:id/api-keys', () => {
  it('shows the key once, and stores its hash', async () => {
    const { status, headers, body } = await postKey(account, { expiresAt: '2099-12-31' });
    const { key, ...apiKey } = body.data;
    expect({ status, headers }).toMatchObject({
      status: 201,
      headers: { location: `${keysOf(account)}/${apiKey._id}`, 'cache-control': 'no-store' },
    });
    expect(headers.etag).toBeUndefined();
    expect(key).toMatch(/^roster_[0-9A-Za-z]{49}$/);
    const given = { name: 'Import', scope: 'write', expiresAt: '2099-12-31', hint: key.slice(-4) };
    expect(apiKey).toMatchObject({ ...given, lastUsedAt: null, createdBy: account.id });
    expect((await account.get(headers.location!)).body).toEqual(apiKey);
    expect((await account.get(keysOf(account))).body.data).toEqual([apiKey]);
    const user = await stored(account);
    expect(user).toMatchObject({ revision: 0, apiKeys: [{ ...given, hash: expect.stringMatching(/^[\w-]{43}$/) }] });
    expect(JSON.stringify(user)).not.toContain(key);
  });

  it.each<[string, object, ...[FieldErrorName, string][]]>([
    ['nothing', {}, ['missing', 'name'], ['missing', 'scope']],
    ['no password', { ...VALID, currentPassword: undefined }, ['missing', 'currentPassword']],
    ['an unknown scope', { ...VALID, scope: 'admin' }, ['notOneOf', 'scope']],
    ['a date that has passed', { ...VALID, expiresAt: '2026-01-01' }, ['outOfRange', 'expiresAt']],
    ['a time that has passed', { ...VALID, expiresAt: '2026-01-01T01:00:00+01:00' }, ['outOfRange', 'expiresAt']],
    ['a wrong password', VALID, ['wrongCurrentPassword', 'currentPassword']],
  ])('refuses %s', async (_title, body, ...errors) => {
    expectFieldErrors(await account.post(keysOf(account), body), ...errors);
    expect((await stored(account))?.apiKeys).toEqual([]);
  });

  it("takes the password of the caller: an Admin's for another User's key", async () => {
    const { admin } = service;
    const wrong = await admin.post(keysOf(account), { ...VALID, currentPassword: account.password });
    expectFieldErrors(wrong, ['wrongCurrentPassword', 'currentPassword']);
    const { data } = (await admin.post(keysOf(account), { ...VALID, currentPassword: admin.password })).body;
    expect(data.createdBy).toBe(admin.id);
    expect((await account.with(data.key as string).get('/users/me')).body).toEqual(account.user);
  });
});

describe('GET and DELETE /users/:id/api-keys/:keyId', () => {
  it('find the keys of this User only', async () => {
    const { key } = await withKey(account);
    for (const client of [other, service.admin])
      for (const send of [client.get.bind(client), client.delete.bind(client)])
        for (const id of [key._id, key._id.toUpperCase()])
          expectError(await send(`${keysOf(client)}/${id}`), 'apiKeyNotFound');
    expect((await service.admin.get(`${keysOf(account)}/${key._id}`)).body).toEqual(shown(key));
  });

  it('a deleted key stops working with the next request, and others go on', async () => {
    const [first, second] = [await withKey(account), await withKey(account)];
    expect((await first.program.get('/users')).status).toBe(200);
    expect((await account.delete(`${keysOf(account)}/${first.key._id}`)).status).toBe(204);
    expectError(await first.program.get('/users'), 'tokenUnusable');
    expect((await second.program.get('/users')).status).toBe(200);
    expect(idsOf(await account.get(keysOf(account)))).toEqual([second.key._id]);
  });
});

describe('an API key', () => {
  it('acts as its User, with the rights of that moment', async () => {
    const { program } = await withKey(account);
    const { _id } = await createOrganization(program);
    expect((await account.get(`/organizations/${_id}`)).body.managerIds).toEqual([account.id]);
    expectError(await program.get('/events'), 'forbidden');
    await put({ roles: ['admin'] });
    expect((await program.get('/events')).status).toBe(200);
  });

  it('of an Admin suspends, brings back and deletes Users without roles', async () => {
    const program = await adminProgram();
    for (const isSuspended of [true, false]) expectOutcome(await put({ isSuspended }, program), 200);
    expectOutcome(await program.delete(`/users/${account.id}`), 204);
  });

  it('survives a new password and its reset, and ends with its User', async () => {
    const { program } = await withKey(account);
    const password = 'another password';
    await put({ password, currentPassword: account.password }, account);
    await put({ password: 'a third password' });
    expect((await program.get('/users')).status).toBe(200);
    await service.admin.delete(`/users/${account.id}`);
    expectError(await program.get('/users'), 'tokenUnusable');
  });

  it('stops while its User is suspended', async () => {
    const { program } = await withKey(account);
    await put({ isSuspended: true });
    expectError(await program.get('/users'), 'suspended');
    await put({ isSuspended: false });
    expect((await program.get('/users')).status).toBe(200);
  });

  it.each([
    ['2020-03-16T12:00:00.000Z', '2020-03-16'],
    [new Date(Date.now() - 24 * 3600 * 1000).toISOString().slice(0, 10), undefined],
  ])('that expired at %s is refused with the day', async (expiresAt, day = expiresAt) => {
    const { program } = await withKey(account);
    await changeKey(service, account, { expiresAt });
    const message = `This API key expired on ${day}.`;
    expectError(await program.get('/users'), 'tokenUnusable', message);
  });

  it('with a date alone holds until the end of that day in UTC', async () => {
    const { program } = await withKey(account);
    await changeKey(service, account, { expiresAt: new Date().toISOString().slice(0, 10) });
    expect((await program.get('/users')).status).toBe(200);
  });

  it('is in no log line, Event or metric, nor is its hash', async () => {
    const { requests, application } = service.app.get(PinoLoggers);
    for (const logger of [requests, application]) logger.level = 'trace';
    const stream = (requests as unknown as Record<symbol, { write(line: string): void }>)[symbols.streamSym]!;
    const lines = jest.spyOn(stream, 'write').mockReturnValue();
    const { key, program } = await withKey(account);
    const { hash } = (await stored(account))!.apiKeys![0]!;
    await createOrganization(program);
    const paths = ['/users/me', '/x', `/users?key=${key.key}`, `/users/${key.key}`, `/${'x'.repeat(450)}/${key.key}`];
    for (const path of paths) for (const client of [program, service.nobody]) await client.get(path);
    await account.with(`${key.key.slice(0, -1)}-`).get('/users');
    await service.nobody.post('/sessions', { username: key.key, password: key.key });
    await account.delete(`${keysOf(account)}/${key._id}`);
    const written = lines.mock.calls.join();
    for (const logger of [requests, application]) logger.level = 'silent';
    lines.mockRestore();
    expect(written).toContain(`"apiKeyId":"${key._id}"`);
    const events = JSON.stringify((await service.contents()).events);
    const { payload: metrics } = await service.app.inject('/metrics');
    for (const text of [written, events, metrics])
      for (const secret of [key.key.slice(0, 20), hash]) expect(text).not.toContain(secret);
  });

  it('stores when it was last used, to the minute, and not again in that minute', async () => {
    const { key, program } = await withKey(account);
    const writes = jest.spyOn(service.model('User').collection, 'updateOne');
    for (let times = 0; times < 3; times += 1) await program.get('/users');
    const lastUsedAt = (): Promise<string | null> =>
      account.get(`${keysOf(account)}/${key._id}`).then(({ body }) => body.lastUsedAt as string | null);
    while ((await lastUsedAt()) === null) await setImmediate();
    expect(await lastUsedAt()).toMatch(/:00\.000Z$/);
    expect(writes.mock.calls.length).toBeLessThanOrEqual(2); // two if a minute has begun meanwhile
    expect(await stored(account)).toMatchObject({ revision: 0 });
    writes.mockRestore();
  });

  it('works although its last use cannot be stored, which the next request tries again', async () => {
    const { program } = await withKey(account);
    const write = jest.spyOn(service.model('User').collection, 'updateOne').mockRejectedValue(new Error('full'));
    for (const times of [1, 2]) {
      expect((await program.get('/users')).status).toBe(200);
      while (write.mock.calls.length < times) await setImmediate();
      await setImmediate();
    }
    write.mockRestore();
  });
});

describe('no API key may', () => {
  it.each([
    ['set a password', { password: 'another password', currentPassword: 'x' }],
    ['change roles', { roles: [] }],
  ])('%s', async (_title, change) => {
    account = await service.account({ roles: ['admin'] });
    const { program } = await withKey(account);
    const before = await stored(account);
    const response = await put(change, program);
    expectError(response, 'apiKeyForbidden');
    expect(await stored(account)).toMatchObject({ roles: before!.roles, passwordHash: before!.passwordHash });
  });

  it.each([true, false])('suspend, bring back or delete a User with roles (isSuspended: %j)', async (isSuspended) => {
    const program = await adminProgram();
    await put({ isSuspended, roles: ['admin'] });
    const before = await stored(account);
    expectError(await put({ isSuspended: !isSuspended }, program), 'apiKeyForbidden');
    expectError(await program.delete(`/users/${account.id}`, { 'if-match': '"x"' }), 'apiKeyForbidden');
    expect(await stored(account)).toEqual(before);
    expectOutcome(await put({ isSuspended, companyName: 'Others' }, program), 200);
    expectError(await program.delete('/users/me'), 'apiKeyForbidden');
  });

  it('create a User with roles; without them it may, and it may send back the roles of a User', async () => {
    const program = await adminProgram();
    const body = newUserBody();
    expectError(await program.post('/users', { ...body, roles: ['admin'] }), 'apiKeyForbidden');
    const created = await program.post('/users', body);
    expect(created.status).toBe(201);
    expect((await program.put(created.headers.location!, { ...created.body.data, companyName: 'Others' })).status).toBe(
      200,
    );
  });
});

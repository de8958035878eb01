import { Logger } from '@nestjs/common';
import type { User } from '../../../../src/registry/users/user.schema';
import type { ApiResponse, Headers } from '../../../support/client';
import { expectError } from '../../../support/expect-error';
import { newUserBody } from '../../../support/records';
import { newKey } from './provider';
import { COMPANY, person, refused, Registrar } from './registrar';

const registrar = new Registrar();

describe('an identity without an account', () => {
  it('creates it with POST /users without a body or with {}: without roles and password, from the claims', async () => {
    for (const body of [undefined, {}, ' {\r\n\t} ', '\ufeff{}', '']) {
      const claims = person({ roles: ['admin'], realm_access: { roles: ['admin'] }, isSuspended: true });
      const { sub, preferred_username: username, email } = claims;
      const { status, body: response, headers } = await registrar.register(claims, body);
      const user = { username, email, companyName: COMPANY, roles: [], isSuspended: false, externalId: sub };
      expect({ status, data: response.data }).toEqual({ status: 201, data: expect.objectContaining(user) });
      expect(headers.location).toBe(`/users/${response.data._id}`);
      expect((await registrar.service.nobody.get('/users/me', registrar.bearer(claims))).body).toEqual(response.data);
      const stored = await registrar.service.stored<User>('User', response.data._id);
      expect(stored).toMatchObject({ passwordHash: null, emailSetByAdmin: false, sessions: [] });
    }
  });

  it('leaves the Event user.created and a line of the security log with the new User as actor', async () => {
    const logged = jest.spyOn(Logger.prototype, 'log');
    const claims = person();
    const { _id, username } = (await registrar.register(claims)).body.data;
    const [event, ...others] = (await registrar.service.admin.get(`/events?resourceId=${_id}`)).body.data;
    expect(event).toMatchObject({ type: 'user.created', actorId: _id, actorUsername: username, apiKeyId: null });
    expect(others).toEqual([]);
    const lines = logged.mock.calls.map(([line]) => line as { event?: string });
    logged.mockRestore();
    expect(lines.filter((line) => line.event)).toEqual([
      expect.objectContaining({ event: 'externalIdChanged', actor: _id, userId: _id, externalId: claims.sub }),
    ]);
  });

  it('gets 403 with every other request, whose message names POST /users', async () => {
    const claims = person();
    const message = `This identity has no account; POST /users without a body creates it, or an Admin can set its externalId to "${claims.sub}".`;
    await registrar.expectNone(async () => {
      for (const path of ['/users', '/users/me', '/organizations', '/events'])
        expectError(await registrar.service.nobody.get(path, registrar.bearer(claims)), 'noAccount', message);
      expectError(
        await registrar.service.nobody.post('/organizations', {}, registrar.bearer(claims)),
        'noAccount',
        message,
      );
      expectError(
        await registrar.service.nobody.post('/organizations', undefined, registrar.bearer(claims)),
        'noAccount',
        message,
      );
      expectError(await registrar.service.nobody.put('/users/me', {}, registrar.bearer(claims)), 'noAccount', message);
    });
  });

  it.each<[string, unknown]>([
    ['roles', { roles: ['admin'] }],
    ['a field that is null', { password: null }],
    ['__proto__', '{"__proto__":{}}'],
    ['a list', []],
    ['null', 'null'],
    ['a text', '""'],
    ['two objects', '{}{}'],
    ['white space only', '  '],
    ['no JSON', '{'],
    ['NUL', '{\0}'],
    ['white space that JSON does not have', '{\u00a0}'],
  ])('creates nothing with a body that has %s', async (_title, body) => {
    await registrar.expectNone(async () =>
      expectError(await registrar.register(person(), body), 'noAccount', expect.stringContaining('POST /users')),
    );
  });

  it.each<[string, Headers]>([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['JSON in Latin-1', { 'content-type': 'application/json; charset=latin1' }],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a coding', { 'content-encoding': 'gzip' }],
  ])('creates nothing with {} as %s', async (_title, headers) => {
    const send = (): Promise<ApiResponse> =>
      registrar.service.nobody.post('/users', '{}', { ...registrar.bearer(person()), ...headers });
    await registrar.expectNone(async () => expectError(await send(), 'noAccount', expect.any(String)));
  });

  it('creates nothing with a query string', async () => {
    await registrar.expectNone(async () => {
      const query = await registrar.service.nobody.post('/users?roles=admin', {}, registrar.bearer(person()));
      expectError(query, 'invalidQuery', expect.any(String));
    });
  });

  it('creates nothing with a token for somebody else, or that another key has signed: 401', async () => {
    const others = registrar.bearer(person({ aud: 'https://others.example' }));
    const forged = registrar.bearer(person(), {}, { ...newKey('other'), kid: 'rsa' });
    await registrar.expectNone(async () => {
      for (const headers of [others, forged])
        expectError(await registrar.service.nobody.post('/users', {}, headers), 'tokenUnusable');
    });
  });

  it.each<[string, string]>([
    ['white space at its ends', ' known '],
    ['a control character', 'kno\u0000wn'],
    ['a character that shows nothing', 'kno\u200bwn'],
    ['a form that is not NFC', 'knowne\u0301'],
    ['white space only', '   '],
  ])('creates nothing with a subject that cannot be stored as it is: %s', async (_title, sub) => {
    // What it would be stored as is somebody else.
    await registrar.service.admin.post('/users', newUserBody({ externalId: 'known' }));
    await registrar.expectNone(async () =>
      expectError(await registrar.register(person({ sub })), 'noAccount', refused('sub')),
    );
  });
});

import { Logger } from '@nestjs/common';
import type { User } from '../../../../src/registry/users/user.schema';
import type { ApiResponse, Headers } from '../../../support/client';
import { expectError } from '../../../support/expect-error';
import { newUserBody, unique } from '../../../support/records';
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
      for (const body of [{}, undefined])
        expectError(
          await registrar.service.nobody.post('/organizations', body, registrar.bearer(claims)),
          'noAccount',
          message,
        );
      expectError(await registrar.service.nobody.put('/users/me', {}, registrar.bearer(claims)), 'noAccount', message);
    });
  });

  it.each<[string, unknown]>([
    ['roles', { roles: ['admin'] }],
    ['__proto__', '{"__proto__":{}}'],
    ['a list', []],
    ['two objects', '{}{}'],
    ['white space only', '  '],
    ['white space that JSON does not have', '{\u00a0}'],
  ])('creates nothing with a body that has %s', async (_title, body) => {
    await registrar.expectNone(async () =>
      expectError(await registrar.register(person(), body), 'noAccount', expect.stringContaining('POST /users')),
    );
  });

  it.each<[string, Headers]>([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }],
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

  it.each<[string, string]>([
    ['white space at its ends', ' known '],
    ['a control character', 'kno\u0000wn'],
    ['a character that shows nothing', 'kno\u200bwn'],
    ['a form that is not NFC', 'knowne\u0301'],
    ['white space only', '   '],
  ])('creates nothing with a subject that cannot be stored unchanged: %s', async (_title, sub) => {
    // What it would be stored as is somebody else.
    await registrar.service.admin.post('/users', newUserBody({ externalId: 'known' }));
    await registrar.expectNone(async () =>
      expectError(await registrar.register(person({ sub })), 'noAccount', refused('sub')),
    );
  });
});

describe('the settings', () => {
  it('name the claim of the subject; a username without preferred_username is made from username or email', async () => {
    await registrar.withInstance({ OIDC_SUBJECT_CLAIM: 'oid' }, async (other) => {
      const names = [unique(), unique(), unique()];
      const claims: object[] = [
        { preferred_username: names[0], username: 'other' },
        { preferred_username: undefined, username: names[1] },
        { preferred_username: undefined, email: `${names[2]}@engines.example` },
      ];
      for (const [index, name] of names.entries()) {
        const { body } = await registrar.register(person({ ...claims[index], oid: name }), undefined, other);
        expect(body.data).toMatchObject({ username: name, companyName: COMPANY, externalId: name });
      }
      expectError(await registrar.register(person(), undefined, other), 'tokenUnusable');
    });
  });

  it('can take an address without email_verified, but never that of another User', async () => {
    await registrar.withInstance({ OIDC_EMAIL_TRUSTED: 'on' }, async (trusting) => {
      for (const email_verified of [undefined, false, 'true'])
        expect((await registrar.register(person({ email_verified }), undefined, trusting)).status).toBe(201);
      const { email } = (await registrar.service.account()).user;
      const response = await registrar.register(person({ email, email_verified: undefined }), undefined, trusting);
      expectError(response, 'noAccount', refused('email'));
    });
  });

  it('keep it off by default, and the message does not name POST /users then', async () => {
    await registrar.withInstance({ OIDC_CREATE_USERS: 'off' }, async (off) => {
      await registrar.expectNone(async () => {
        for (const body of [undefined, {}])
          expectError(
            await registrar.register(person(), body, off),
            'noAccount',
            expect.not.stringContaining('POST /users'),
          );
      });
      const claims = person();
      await registrar.register(claims);
      expectError(await registrar.register(claims, {}, off), 'forbidden');
    });
  });

  it('of open registration change nothing for tokens, and REGISTRATIONS_PER_HOUR does not count them', async () => {
    await registrar.withInstance({ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '1' }, async (open) => {
      for (let count = 0; count < 3; count += 1)
        expect((await registrar.register(person(), undefined, open)).status).toBe(201);
      await registrar.expectNone(async () => {
        for (const body of [newUserBody(), { externalId: 'x' }])
          expectError(await registrar.register(person(), body, open), 'noAccount', expect.any(String));
        expect((await open.nobody.post('/users', {})).body.code).toBe(1024);
        expect((await open.nobody.post('/users')).status).not.toBe(201);
      });
      expect((await open.nobody.post('/users', newUserBody())).status).toBe(201);
      expectError(await open.nobody.post('/users', newUserBody()), 'tooManyRequests', expect.any(String));
      expect((await registrar.register(person(), undefined, open)).status).toBe(201);
    });
  });
});

import { Logger } from '@nestjs/common';
import type { User } from '../../../../src/registry/users/user.schema';
import type { ApiResponse } from '../../../support/client';
import { expectError } from '../../../support/expect-error';
import { idsOf, NOTHING } from '../../../support/records';
import { Service, startService } from '../../../support/service';
import { AUDIENCE, forge, newKey, OpenIdProvider, SUBJECT } from './provider';
import { acceptedTokens, Forge, keys, othersTokens, reasons, refusedTokens } from './tokens';

const { rsa, ec, stranger } = keys;
const names = { username: 'robot', companyName: 'Robots', email: 'robot@roster.example' };
const logged = jest.spyOn(Logger.prototype, 'log');
/** The clock of the pauses between two reads of the keys. */
const now = Date.now.bind(Date);

let provider: OpenIdProvider;
let service: Service;
let robot: { _id: string };
beforeAll(async () => {
  provider = await OpenIdProvider.start([rsa, ec]);
  service = await startService({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE });
  robot = (await service.admin.post('/users', { ...names, externalId: SUBJECT })).body.data;
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const send = (token: string, path = '/users/me'): Promise<ApiResponse> =>
  service.nobody.get(path, { authorization: `Bearer ${token}` });
const token = (claims?: object, header?: object, key = rsa): string => forge(provider.issuer, key, claims, header);
const change = (fields: object): Promise<ApiResponse> =>
  service.admin.put(`/users/${robot._id}`, { ...names, ...fields });
const passTime = (ms: number): unknown => jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);

describe('a token of the identity provider', () => {
  it('belongs to the User whose externalId is its subject, with the rights that Roster gives them', async () => {
    const issued = await provider.issue();
    expect((await send(issued)).body).toEqual(robot);
    const wish = token({ roles: ['admin'], scope: 'admin' });
    expectError(await send(wish, '/users?role=admin'), 'forbidden');
    await change({ roles: ['admin'] });
    expect(idsOf(await send(issued, '/users?role=admin'))).toContain(robot._id);
    await change({ roles: [] });
    expectError(await send(issued, '/users?role=admin'), 'forbidden');
  });

  it.each(acceptedTokens)('is accepted with %s', async (_title, made) => {
    expect((await send(made(new Forge(provider.issuer)))).body._id).toBe(robot._id);
  });

  it.each([...refusedTokens, ...othersTokens])('is refused with %s', async (_title, made) => {
    expectError(await send(made(new Forge(provider.issuer))), 'tokenUnusable');
  });

  it.each(reasons)(
    'that is refused leaves its reason in the log, and not in the response: %s',
    async (reason, made) => {
      logged.mockClear();
      expectError(await send(made(new Forge(provider.issuer))), 'tokenUnusable');
      const refused = logged.mock.calls.filter(([line]) => (line as { event?: string }).event === 'tokenRefused');
      expect(refused).toEqual([[expect.objectContaining({ reason: expect.stringContaining(reason) as string })]]);
    },
  );

  it('never finds or creates a User by username, e-mail address or id, and the security log has its subject', async () => {
    const users = (): Promise<number> => service.model<User>('User').countDocuments();
    const before = await users();
    for (const subject of [names.username, names.email, robot._id, 'nobody']) {
      logged.mockClear();
      const claims = { sub: subject, email: names.email, email_verified: true, preferred_username: names.username };
      const message = `This identity has no account; an Admin can set its externalId to "${subject}".`;
      // Also in the place of 404, because it comes before.
      for (const path of ['/users/me', `/organizations/${NOTHING}`])
        expectError(await send(token(claims), path), 'noAccount', message);
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'identityUnknown', subject }));
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ event: 'accessRefused', status: 403 }));
    }
    expect(await users()).toBe(before);
  });

  it('may have every subject that an externalId can be, whose length counts code points', async () => {
    const subject = '\u{1F6A2}'.repeat(255);
    await change({ externalId: subject });
    const { body } = await send(token({ sub: subject }));
    await change({ externalId: SUBJECT });
    expect(body._id).toBe(robot._id);
  });

  it('is refused while its User is suspended', async () => {
    await change({ isSuspended: true });
    expectError(await send(token()), 'suspended');
    await change({ isSuspended: false });
    expect((await send(token())).status).toBe(200);
  });

  it('belongs to another User once an Admin has given them the externalId', async () => {
    await change({ externalId: null });
    expectError(await send(token()), 'noAccount', expect.any(String));
    const other = await service.account();
    await service.admin.put(`/users/${other.id}`, other.userBody({ externalId: SUBJECT }));
    expect((await send(token())).body._id).toBe(other.id);
    await service.admin.delete(`/users/${other.id}`);
    expectError(await send(token()), 'noAccount', expect.any(String));
    await change({ externalId: SUBJECT });
    expect((await send(token())).body._id).toBe(robot._id);
  });
});

describe('the keys of the identity provider', () => {
  const next = newKey('next');

  it('rotate: a token with a new key works, and one with a withdrawn key does not', async () => {
    const earlier = token();
    expect((await send(earlier)).status).toBe(200);
    await provider.rotate([newKey('other'), next]);
    passTime(6000);
    expect((await send(await provider.issue())).status).toBe(200);
    expectError(await send(earlier), 'tokenUnusable');
    // Without a key id, each key is tried: the second of two fits.
    expect((await send(token({}, { kid: undefined }, next))).status).toBe(200);
    expectError(await send(token({}, { kid: undefined }, stranger)), 'tokenUnusable');
  });

  it('are known while the provider is out of reach; a token with another key is 503', async () => {
    await provider.stop();
    passTime(12_000);
    const unknown = await send(token({}, {}, stranger));
    expectError(unknown, 'providerUnavailable');
    expectError(await send(token({}, {}, stranger), `/organizations/${NOTHING}`), 'providerUnavailable');
    expect(unknown.headers['retry-after']).toMatch(/^\d+$/);
    expect((await send(token({}, {}, next))).status).toBe(200);
    expectError(await send(token({}, {}, { ...stranger, kid: 'next' })), 'tokenUnusable');
    expect((await service.admin.get('/users/me')).status).toBe(200);
  });
});

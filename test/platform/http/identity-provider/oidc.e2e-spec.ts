import { Logger } from '@nestjs/common';
import { sign } from 'jsonwebtoken';
import type { User } from '../../../../src/registry/users/user.schema';
import type { ApiResponse } from '../../../support/client';
import { expectError } from '../../../support/expect-error';
import { idsOf, NOTHING } from '../../../support/records';
import { Service, startService } from '../../../support/service';
import { AUDIENCE, forge, newKey, OpenIdProvider, SUBJECT } from './provider';

const rsa = newKey('rsa');
const ec = newKey('ec', 'ec');
const stranger = newKey('stranger');
const names = { username: 'robot', companyName: 'Robots', email: 'robot@roster.example' };
const logged = jest.spyOn(Logger.prototype, 'log');
/** The clock of the pauses between two reads of the keys. */
const now = performance.now.bind(performance);

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
const passTime = (ms: number): unknown => jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);

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

  it.each<[string, () => string]>([
    ['RS256', () => token()],
    ['PS256', () => token({}, { alg: 'PS256' })],
    ['ES256', () => token({}, { alg: 'ES256' }, ec)],
    ['its type in full', () => token({}, { typ: 'application/at+jwt' })],
    ['the type JWT', () => token({ typ: 'Bearer' }, { typ: 'JWT' })],
    ['no type', () => token({}, { typ: undefined })],
    ['the mark of an access token of Cognito', () => token({ token_use: 'access' }, { typ: undefined })],
    ['several audiences', () => token({ aud: ['others', AUDIENCE] })],
  ])('is accepted with %s, so the rejections below prove something', async (_title, made) => {
    expect((await send(made())).status).toBe(200);
  });

  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const jwk = stranger.publicKey.export({ format: 'jwk' });
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const reheaded = (header: object): string => token().replace(/^[^.]+/, encoded({ typ: 'at+jwt', ...header }));
  const later = Math.floor(Date.now() / 1000) + 600;
  it.each<[string, () => string]>([
    ['algorithm none', () => `${reheaded({ alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
    ['algorithm none and a signature', () => reheaded({ alg: 'none', kid: 'rsa' })],
    ['HS256 by the public key', () => hmac(pem)],
    ['HS256 by the public key as a JWK', () => hmac(JSON.stringify(rsa.publicKey.export({ format: 'jwk' })))],
    ['the algorithm of another key', () => reheaded({ alg: 'ES256', kid: 'rsa' })],
    ['another payload', () => token().replace(/\.[^.]+\./, `.${encoded({ iss: provider.issuer, sub: 'x' })}.`)],
    ['its own key', () => token({}, { jwk, kid: undefined }, stranger)],
    [
      'an address of its own key',
      () => token({}, { jku: `${provider.issuer}/x`, x5u: 'http://127.0.0.1:9' }, stranger),
    ],
    ['a path as the id of its key', () => token({}, { kid: '../../../dev/null' })],
    ['a query as the id of its key', () => token({}, { kid: { $ne: null } })],
    ['a critical extension', () => token({}, { crit: ['exp'] })],
    ['an audience that begins with ours', () => token({ aud: `${AUDIENCE}/x` })],
    ['the issuer of our own tokens', () => token({ iss: 'roster', aud: 'roster' })],
    ['a slash after its issuer', () => token({ iss: `${provider.issuer}/` })],
    ['several issuers', () => token({ iss: [provider.issuer] })],
    ['no issuer', () => token({ iss: undefined })],
    ['a subject that is no text', () => token({ sub: { $ne: null } })],
    ['an empty subject', () => token({ sub: '' })],
    ['a subject that is too long', () => token({ sub: 'x'.repeat(256) })],
    ['the hash of an access token, as in an ID token', () => token({ at_hash: 'x' }, { typ: undefined })],
    ['the mark of an ID token of Keycloak', () => token({ typ: 'ID' }, { typ: 'JWT' })],
    ['the mark of a refresh token of Keycloak', () => token({ typ: 'Refresh' }, { typ: 'JWT' })],
    ['a key that its sender must prove to have', () => token({ cnf: { jkt: 'x' } })],
    ['such a key, and the type JWT', () => token({ cnf: { 'x5t#S256': 'x' } }, { typ: 'JWT' })],
    ['the mark of an ID token of Cognito', () => token({ token_use: 'id' }, { typ: undefined })],
    ['the mark of an ID token of Cognito, and the type of an access token', () => token({ token_use: 'id' })],
    ['the type of a logout token', () => token({}, { typ: 'logout+jwt' })],
  ])('is refused with %s', async (_title, made) => {
    expectError(await send(made()), 'tokenUnusable');
  });

  function hmac(secret: string): string {
    const { iss, aud, sub } = { iss: provider.issuer, aud: AUDIENCE, sub: SUBJECT };
    return sign({ iss, aud, sub, exp: later }, secret, { header: { alg: 'HS256', typ: 'at+jwt', kid: 'rsa' } });
  }

  it.each<[string, () => string]>([
    [`aud is account, not ${AUDIENCE}`, () => token({ aud: 'account' })],
    [`aud is account and others, not ${AUDIENCE}`, () => token({ aud: ['account', 'others'] })],
    ['it has no aud', () => token({ aud: undefined })],
    ['it expired 900 s ago', () => token({ exp: Math.floor(Date.now() / 1000) - 900 })],
    ['it is valid in 900 s', () => token({ nbf: Math.floor(Date.now() / 1000) + 900 })],
    ['it has no exp', () => token({ exp: undefined })],
    ['sub is missing, not a subject of 1 to 255 characters', () => token({ sub: undefined })],
    ['sub is 1, not a subject of 1 to 255 characters', () => token({ sub: 1 })],
    ['alg is RS512, not RS256, PS256 or ES256', () => token({}, { alg: 'RS512' })],
    ['the provider has no RS256 key with the kid stranger', () => token({}, {}, stranger)],
    ['signature verification failed', () => token({}, {}, { ...stranger, kid: 'rsa' })],
    ['iss is https://others.example?, not ', () => token({ iss: 'https://others.example\n' })],
    [`iss is ${'x'.repeat(100)}, not `, () => token({ iss: 'x'.repeat(5000) })],
    [
      'it is not an access token by its type or claims: perhaps an ID token',
      () => token({ nonce: 'x' }, { typ: 'JWT' }),
    ],
  ])('that is refused leaves its reason in the log, and not in the response: %s', async (reason, made) => {
    logged.mockClear();
    expectError(await send(made()), 'tokenUnusable');
    const refused = logged.mock.calls.filter(([line]) => (line as { event?: string }).event === 'tokenRefused');
    expect(refused).toEqual([[expect.objectContaining({ reason: expect.stringContaining(reason) })]]);
  });

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
    await provider.rotate([next]);
    passTime(6000);
    expect((await send(await provider.issue())).status).toBe(200);
    expectError(await send(earlier), 'tokenUnusable');
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

// The last one: passport knows one strategy per process.
it('OIDC_SUBJECT_CLAIM names the claim in the place of sub', async () => {
  provider = await OpenIdProvider.start([rsa]);
  const env = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_SUBJECT_CLAIM: 'oid' };
  const other = await startService({ ...env, MONGODB_URI: service.databaseUri });
  const get = (claims: object): Promise<ApiResponse> =>
    other.nobody.get('/users/me', { authorization: `Bearer ${token(claims)}` });
  expect((await get({ sub: 'x', oid: SUBJECT })).body._id).toBe(robot._id);
  expectError(await get({}), 'tokenUnusable');
  expectError(await get({ sub: SUBJECT, oid: 'x' }), 'noAccount', expect.stringContaining('"x"'));
  await other.stop();
});

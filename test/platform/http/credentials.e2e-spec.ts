import { decode, type JwtPayload, sign } from 'jsonwebtoken';
import { generateKeyPairSync } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AccountLoader } from '../../../src/platform/http/access/account';
import { hashOfToken, newApiKey } from '../../../src/platform/http/access/api-key';
import { BoundedMap } from '../../../src/platform/base/bounded-map';
import { Resources } from '../../../src/platform/http/access/resources';
import { SigningKeys } from '../../../src/platform/http/access/signing-keys';
import { withKey } from '../../registry/api-keys/keys';
import type { ApiResponse, Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
import { useService } from '../../support/service';

const JWT_SECRET = 'the first secret of two that signs tokens,the second secret that signed them before';
const service = useService({ JWT_SECRET });
const { databaseUri: MONGODB_URI } = service;
const open = useService({ JWT_SECRET, MONGODB_URI, REGISTRATION: 'open' });

let account: Client;
let keys: SigningKeys;
let loadAccount: jest.SpyInstance;
let loadResources: jest.SpyInstance;
beforeAll(() => {
  keys = service.app.get(SigningKeys);
});
beforeEach(async () => {
  account = await service.account();
  loadAccount = jest.spyOn(service.app.get(AccountLoader), 'load');
  loadResources = jest.spyOn(service.app.get(Resources), 'load');
});
afterEach(() => jest.restoreAllMocks());

const get = (authorization?: string): Promise<ApiResponse> => service.nobody.get('/users/me', { authorization });
const send = (token: string): Promise<ApiResponse> => get(`Bearer ${token}`);
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Expects that a request was rejected before anything was read for it. */
function expectRejected(response: ApiResponse, error: 'noCredentials' | 'tokenUnusable' = 'tokenUnusable'): void {
  expectError(response, error);
  expect([loadAccount.mock.calls, loadResources.mock.calls]).toEqual([[], []]);
}

describe('the header Authorization', () => {
  it.each([undefined, '', 'Basic eDp5', 'Bearerx y', ' Bearer y', 'x Bearer y'])(
    'has no credentials in the form %j',
    async (header) => expectRejected(await get(header), 'noCredentials'),
  );

  it.each(['Bearer', 'Bearer ', 'Bearer <valid> x'])('has no usable token in the form %j', async (header) =>
    expectRejected(await get(header.replace('<valid>', account.token))),
  );

  it('may have the scheme in any case, and several spaces after it', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect((await get(`${scheme} ${account.token}`)).status).toBe(200);
  });

  it('is the only place for credentials', async () => {
    expectRejected(await service.nobody.get(`/users?access_token=${account.token}`), 'noCredentials');
    expectRejected(await service.nobody.post('/organizations', { access_token: account.token }), 'noCredentials');
  });

  it('is not looked at by an operation for anyone, and by a route outside the contract', async () => {
    const authorization = 'Bearer x';
    expectError(await service.nobody.post('/tokens', '', { authorization }), 'unusableBody');
    expect((await service.nobody.get('/health/live', { authorization })).status).toBe(200);
    expect(loadAccount).not.toHaveBeenCalled();
  });

  it('may be missing where it is optional, but a token that is sent must be valid', async () => {
    const post = (authorization?: string, { nobody } = open) => nobody.post('/users', '', { authorization });
    expectError(await post(), 'unusableBody');
    expectError(await post(`Bearer ${account.token}`), 'unusableBody');
    expectError(await post('Bearer x'), 'tokenUnusable');
    expectError(await post(''), 'noCredentials');
    expectError(await post(undefined, service), 'noCredentials');
  });
});

describe('the account and the records of a request', () => {
  it('cause no unhandled rejection when there is no database, in any order of failed reads', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const failLater = (): Promise<never> => setImmediate().then(() => Promise.reject(new Error('no records')));
    for (const load of [() => Promise.reject(new Error('no account')), failLater]) {
      loadAccount.mockImplementationOnce(load);
      loadResources.mockImplementationOnce(failLater);
      expectError(await send(account.token), 'unexpected');
    }
    await setImmediate();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('an API key', () => {
  it('is not remembered while it does not exist: anybody can invent API keys', async () => {
    const remember = jest.spyOn(BoundedMap.prototype, 'set');
    expectError(await send(newApiKey()), 'tokenUnusable');
    expect(remember).not.toHaveBeenCalled();
    const { key, program } = await withKey(account);
    await program.get('/users/me');
    expect(remember).toHaveBeenCalledWith(key.key, { keyHash: hashOfToken(key.key) });
  });

  it('that is mistyped is rejected, and nothing is read for it', async () => {
    const key = newApiKey();
    expectRejected(await send(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')));
  });
});

describe('an access token', () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const claimsOf = ({ id, session }: Client): object => ({ sub: id, sid: session._id });
  const forge = (change: object, header: object = {}, key = keys.current): string =>
    sign(JSON.stringify({ ...claimsOf(account), iss: 'roster', aud: 'roster', exp, ...change }), key, {
      header: { alg: 'HS256', typ: 'at+jwt', kid: keys.currentId, ...header },
    });
  /** jsonwebtoken does not sign these. */
  const withHeader = (token: string, header: object): string =>
    token.replace(/^[^.]+/, base64url(JSON.stringify(header)));

  it('names the user, the session, the key and this service, and expires', () => {
    const { header, payload } = decode(account.token, { complete: true })!;
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: keys.currentId });
    const { iat = 0 } = payload as JwtPayload;
    expect(payload).toEqual({ ...claimsOf(account), iss: 'roster', aud: 'roster', iat, exp: iat + 900 });
  });

  it('is accepted when it is made by hand, also with an earlier key, so the rejections below prove something', async () => {
    expect((await send(forge({}))).status).toBe(200);
    const earlier = new SigningKeys(JWT_SECRET.split(',').slice(1));
    expect((await send(forge({}, { kid: earlier.currentId }, earlier.current))).status).toBe(200);
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const types = [{ alg: 'HS512' }, { typ: 'JWT' }, { typ: undefined }];
  const headers = [{ kid: undefined }, { kid: 'x' }, { crit: ['exp'] }, ...types];
  const id = 'f'.repeat(24);
  const noIds = [undefined, { id }, 1, [id], 'x', '12 character', id.toUpperCase()];
  const changes = [
    ...[{ iss: 'x' }, { aud: 'x' }, { exp: 1 }, { exp: undefined }],
    ...noIds.flatMap((value) => [{ sub: value }, { sid: value }]),
  ];
  it.each<[unknown, () => string]>([
    ...headers.map((header): [unknown, () => string] => [header, () => forge({}, header)]),
    ...changes.map((change): [unknown, () => string] => [change, () => forge(change)]),
    ['the signature of another key', () => forge({}, {}, new SigningKeys(['a secret of somebody else']).current)],
    ['the signature of another key of ours', () => forge({}, {}, keys.all[1])],
    ['algorithm RS256', () => forge({}, { alg: 'RS256' }, privateKey)],
    ['algorithm none', () => withHeader(forge({}), { alg: 'none', typ: 'at+jwt', kid: keys.currentId })],
    ['no signature', () => `${forge({}).split('.').slice(0, 2).join('.')}.`],
    ['another form', () => 'x.y.z'],
    ['a payload that is not JSON', () => `${base64url('{"typ":"JWT"}')}.${base64url('not JSON')}.x`],
  ])('with %p is rejected, and nothing is read for it', async (_, forged) => expectRejected(await send(forged())));
});

describe('an access token that was verified before', () => {
  it('expires', async () => {
    const { exp = 0 } = decode(account.token) as JwtPayload;
    const now = jest.spyOn(Date, 'now').mockReturnValue(exp * 1000 - 1);
    expect((await send(account.token)).status).toBe(200);
    for (const later of [exp * 1000, exp * 1000 + 1]) {
      now.mockReturnValue(later);
      expectError(await send(account.token), 'tokenUnusable');
    }
  });

  it('says nothing about a token with another last character, or the same one with something after it', async () => {
    const { token } = account;
    const others = [...'ABCDwxyz0123-_'].map((character) => token.slice(0, -1) + character);
    for (const other of [...others, `${token}=`, `${token} x`, token.slice(0, -1)])
      if (other !== token) expectError(await send(other), 'tokenUnusable');
  });

  it('is refused again if it was refused before', async () => {
    const other = sign({}, keys.current, { header: { alg: 'HS256', typ: 'JWT', kid: keys.currentId } });
    for (let attempt = 0; attempt < 2; attempt += 1) expectError(await send(other), 'tokenUnusable');
  });
});

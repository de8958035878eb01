import { generateKeyPairSync, KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type CryptoKey, errors } from 'jose';
import { settingsWith } from '../../../../test/support/settings';
import { AUDIENCE, forge, newKey, type ProviderKey } from '../../../../test/platform/http/identity-provider/provider';
import { IdentityProvider } from './identity-provider';
import { OidcTokens } from './oidc-tokens';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one' };
const KNOWN = { alg: 'RS256', kid: 'one' };
const UNKNOWN = { alg: 'RS256', kid: 'none' };
const DISCOVERY = '/.well-known/openid-configuration';

let handle: RequestListener;
let requested: string[];
const server = createServer((request, response) => {
  requested.push(request.url!);
  handle(request, response);
});
let issuer: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const logged = jest.spyOn(Logger.prototype, 'log').mockImplementation();
const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
const timeout = AbortSignal.timeout.bind(AbortSignal);
const now = Date.now.bind(Date);
beforeEach(() => {
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(60_000));
  jest.spyOn(Date, 'now').mockImplementation(now);
  for (const mock of [logged, warned]) mock.mockClear();
  requested = [];
  handle = serve();
});
const passTime = (ms: number): unknown => jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);

/** The responses of a provider, with changes. */
const serve =
  (metadata: object = {}, keys: unknown = { keys: [jwk] }): RequestListener =>
  ({ url }, response) => {
    const login = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    const all = { issuer, jwks_uri: `${issuer}/jwks`, ...login, ...metadata };
    response.end(JSON.stringify(url!.endsWith(DISCOVERY) ? all : keys));
  };
const hangUp: RequestListener = ({ socket }) => socket.destroy();
const newProvider = (path = ''): IdentityProvider =>
  new IdentityProvider(settingsWith({ OIDC_ISSUER: issuer + path, OIDC_AUDIENCE: 'x' }));
/** The key that the provider has; undefined when it has none. */
const find = async (provider: IdentityProvider, header: typeof KNOWN): Promise<CryptoKey | undefined> => {
  return (await provider.keyFor(header).catch((error: unknown) => {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
  })) as CryptoKey | undefined;
};

describe('the identity provider', () => {
  it('is read once for all who ask at the same time, and not again for a while', async () => {
    const provider = newProvider();
    await Promise.all(Array.from({ length: 20 }, () => provider.keyFor(KNOWN)));
    for (let times = 0; times < 20; times += 1) expect(await find(provider, UNKNOWN)).toBeUndefined();
    expect(requested).toEqual([DISCOVERY, '/jwks']);
    expect(KeyObject.from(await provider.keyFor(KNOWN)).equals(publicKey)).toBe(true);
    expect(provider.endpoints).toEqual({ authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` });
  });

  it('has its discovery document below the path of its issuer', async () => {
    for (const path of ['/realms/x', '/realms/x/']) {
      handle = serve({ issuer: issuer + path });
      await newProvider(path).keyFor(KNOWN);
    }
    expect(requested.filter((url) => url !== '/jwks')).toEqual([`/realms/x${DISCOVERY}`, `/realms/x${DISCOVERY}`]);
  });

  it('is read again every five minutes, keeps its keys while it is out of reach, and recovers', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
    const provider = newProvider();
    provider.onApplicationBootstrap();
    await provider.keyFor(KNOWN);
    handle = hangUp;
    jest.advanceTimersByTime(300_000);
    while (warned.mock.calls.length === 0) await setImmediate();
    expect(await find(provider, KNOWN)).toBeDefined();
    passTime(5000);
    await expect(provider.keyFor(UNKNOWN)).rejects.toMatchObject({ status: 503, code: 1904 });
    passTime(15_000);
    handle = serve({}, { keys: [] });
    jest.advanceTimersByTime(300_000);
    while (await find(provider, KNOWN)) await setImmediate();
    expect(logged.mock.calls).toEqual([['The identity provider is available again.']]);
    jest.useRealTimers();
  });

  it.each<[string, () => RequestListener, RegExp]>([
    ['does not respond', () => () => undefined, /timeout/],
    ['sends a body that does not end', () => (_, response) => void response.write('{'), /timeout/],
    ['closes the connection', () => hangUp, /closed|hang up|ECONNRESET/],
    ['is down', () => (_, response) => response.writeHead(503).end('{}'), /status 503/],
    ['redirects', () => redirect, /redirect/],
    ['sends HTML', () => (_, response) => response.end('<html>'), /JSON/],
    ['sends a text', () => (_, response) => response.end('"x"'), /another issuer/],
    ['sends null', () => (_, response) => response.end('null'), /another issuer/],
    ['is another issuer', () => serve({ issuer: 'https://others.example' }), /another issuer/],
    ['names no keys', () => serve({ jwks_uri: undefined }), /jwks_uri/],
    ['has its keys at an address that is not safe', () => serve({ jwks_uri: 'http://x.example/jwks' }), /jwks_uri/],
    ['has keys that are no list', () => serve({}, { keys: 'x' }), /JSON Web Key Set/],
    ['sends more than 256 KiB', () => (_, response) => response.end(`"${'x'.repeat(262_144)}"`), /more than 262144/],
  ])('that %s is unavailable, and the log says why', async (_title, responses, reason) => {
    handle = responses();
    if (reason.test('timeout')) jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(500));
    await expect(newProvider().keyFor(KNOWN)).rejects.toMatchObject({ status: 503, code: 1904 });
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ reason: expect.stringMatching(reason) as string }));
  });

  it('may have elements among its keys that are none, and several keys of one id', async () => {
    handle = serve({}, { keys: [null, 'x', [], { ...jwk, use: 'enc' }, jwk] });
    expect(await find(newProvider(), KNOWN)).toBeDefined();
    handle = serve({}, { keys: [jwk, { ...jwk, alg: 'RS256' }] });
    await expect(newProvider().keyFor(KNOWN)).rejects.toThrow(errors.JWKSMultipleMatchingKeys);
  });

  it('is left alone for a while after a read that failed', async () => {
    const provider = newProvider();
    await provider.keyFor(KNOWN);
    [handle, requested] = [hangUp, []];
    passTime(5000);
    for (let times = 0; times < 3; times += 1)
      await expect(provider.keyFor(UNKNOWN)).rejects.toMatchObject({ status: 503, code: 1904 });
    expect(requested).toEqual(['/jwks']);
  });

  it.each(['authorization_endpoint', 'token_endpoint'])('offers no login where its %s is not safe', async (name) => {
    handle = serve({ [name]: 'http://x.example/token' });
    const provider = newProvider();
    await provider.keyFor(KNOWN);
    expect(provider.endpoints).toBeUndefined();
  });
});

describe('a token of a provider whose keys have no id', () => {
  const [first, second, other] = [newKey('1'), newKey('2'), newKey('3')];
  const withoutId = ({ publicKey: key }: ProviderKey): object => key.export({ format: 'jwk' });
  let tokens: OidcTokens;
  const isAccepted = ({ privateKey, publicKey: key }: ProviderKey): Promise<boolean> =>
    tokens.verify(forge(issuer, { kid: undefined as never, privateKey, publicKey: key })).then(
      () => true,
      (error: { code?: number }) => (error.code === 1101 ? false : Promise.reject(error as Error)),
    );
  const start = (...keys: unknown[]): void => {
    handle = serve({}, { keys });
    const settings = settingsWith({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: AUDIENCE });
    tokens = new OidcTokens(new IdentityProvider(settings), settings);
  };

  it.each([1, 2])(
    'is accepted once its key has replaced another one, after at most 5 s; keys before: %i',
    async (count) => {
      start(...[first, other].slice(0, count).map(withoutId));
      expect(await isAccepted(first)).toBe(true);
      handle = serve({}, { keys: [withoutId(second)] });
      expect(await isAccepted(second)).toBe(false);
      passTime(5000);
      expect(await Promise.all([second, second].map(isAccepted))).toEqual([true, true]);
      for (let times = 0; times < 20; times += 1) expect(await isAccepted(first)).toBe(false);
      expect(requested).toEqual([DISCOVERY, '/jwks', '/jwks']);
    },
  );

  it('is 503 while the keys cannot be read again, unless it is by a known key', async () => {
    start(withoutId(first));
    expect(await isAccepted(first)).toBe(true);
    handle = hangUp;
    passTime(5000);
    await expect(isAccepted(second)).rejects.toMatchObject({ status: 503, code: 1904 });
    expect(await isAccepted(first)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['a list', [{}]],
    ['an RSA key of 2 bytes', { kty: 'RSA', n: 'AQAB', e: 'AQAB' }],
    ['an RSA key without a modulus', { kty: 'RSA' }],
    ['a modulus that is no text', { kty: 'RSA', n: {}, e: [] }],
    ['a private key', other.privateKey.export({ format: 'jwk' })],
    ['a symmetric key', { kty: 'oct', k: 'AQAB' }],
  ])('is accepted with %s before or after its key, or in its place before', async (_title, element) => {
    for (const keys of [
      [element, withoutId(first)],
      [withoutId(first), element],
    ]) {
      start(...keys);
      expect([await isAccepted(first), await isAccepted(second)]).toEqual([true, false]);
    }
    start(element);
    expect(await isAccepted(first)).toBe(false);
    handle = serve({}, { keys: [withoutId(first)] });
    passTime(5000);
    expect(await isAccepted(first)).toBe(true);
  });
});

/** Sends the client to another place, where the right document is. */
function redirect(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === DISCOVERY) response.writeHead(302, { location: `/moved${DISCOVERY}` }).end();
  else serve()(request, response);
}

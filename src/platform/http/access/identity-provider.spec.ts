import { generateKeyPairSync, KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type CryptoKey, errors } from 'jose';
import { settingsWith } from '../../../../test/support/settings';
import { IdentityProvider } from './identity-provider';

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
const now = performance.now.bind(performance);
beforeEach(() => {
  jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(60_000));
  jest.spyOn(performance, 'now').mockImplementation(now);
  for (const mock of [logged, warned]) mock.mockClear();
  requested = [];
  handle = serve();
});
const passTime = (ms: number): unknown => jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);

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
  const keys = await provider.keysFor(header).catch((error: unknown) => {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
  });
  return keys?.[0];
};

/** How many requests to providers this makes. */
async function requestsOf(work: () => unknown): Promise<number> {
  const fetched = jest.spyOn(globalThis, 'fetch');
  await work();
  const { length } = fetched.mock.calls;
  fetched.mockRestore();
  return length;
}

describe('the identity provider', () => {
  it('may have several keys with one id, which all fit a token', async () => {
    const { publicKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    handle = serve({}, { keys: [jwk, { ...other.export({ format: 'jwk' }), kid: 'one' }] });
    const found = (await newProvider().keysFor(KNOWN)).map((key) => KeyObject.from(key));
    expect(found.map((key) => [key.equals(publicKey), key.equals(other)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('is read once for all who ask at the same time, and not again for a while', async () => {
    const provider = newProvider();
    await Promise.all(Array.from({ length: 20 }, () => provider.keysFor(KNOWN)));
    for (let times = 0; times < 20; times += 1) expect(await find(provider, UNKNOWN)).toBeUndefined();
    expect(requested).toEqual([DISCOVERY, '/jwks']);
    expect((await provider.keysFor(KNOWN)).map((key) => KeyObject.from(key).equals(publicKey))).toEqual([true]);
    expect(provider.endpoints).toEqual({ authorizationUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token` });
  });

  it('has its discovery document below the path of its issuer', async () => {
    for (const path of ['/realms/x', '/realms/x/']) {
      handle = serve({ issuer: issuer + path });
      await newProvider(path).keysFor(KNOWN);
    }
    expect(requested.filter((url) => url !== '/jwks')).toEqual([`/realms/x${DISCOVERY}`, `/realms/x${DISCOVERY}`]);
  });

  it('is read again for a key that is unknown, and after five minutes, so a withdrawn key stops working', async () => {
    const provider = newProvider();
    await provider.keysFor(KNOWN);
    handle = serve({}, { keys: [{ ...jwk, kid: 'two' }] });
    passTime(5000);
    expect(await provider.keysFor({ ...KNOWN, kid: 'two' })).toHaveLength(1);
    handle = serve({}, { keys: [jwk] });
    passTime(305_000);
    expect(await provider.keysFor({ ...KNOWN, kid: 'two' })).toHaveLength(1);
    while (await find(provider, { ...KNOWN, kid: 'two' })) await setImmediate();
  });

  it('keeps its keys while it is out of reach, and recovers', async () => {
    const provider = newProvider();
    await provider.keysFor(KNOWN);
    handle = hangUp;
    for (const ms of [400_000, 800_000]) {
      passTime(ms);
      expect(await provider.keysFor(KNOWN)).toHaveLength(1);
      await expect(provider.keysFor(UNKNOWN)).rejects.toMatchObject({ status: 503, code: 1904 });
    }
    expect(warned).toHaveBeenCalledTimes(1);
    handle = serve();
    for (const ms of [1_200_000, 1_600_000]) {
      passTime(ms);
      expect(await find(provider, UNKNOWN)).toBeUndefined();
    }
    expect(logged.mock.calls).toEqual([['The identity provider is available again.']]);
  });

  it('is read ahead at the start', async () => {
    newProvider().onApplicationBootstrap();
    while (!requested.includes('/jwks')) await setImmediate();
    expect(requested).toEqual([DISCOVERY, '/jwks']);
  });

  it('is read once for the addresses of its login, and no request waits for it', async () => {
    const provider = newProvider();
    expect(provider.endpoints).toBeUndefined();
    while (!provider.endpoints) await setImmediate();
    passTime(400_000);
    expect(await requestsOf(() => expect(provider.endpoints?.tokenUrl).toBe(`${issuer}/token`))).toBe(0);
    expect(requested).toEqual([DISCOVERY, '/jwks']);
    expect(logged).not.toHaveBeenCalled();
  });

  it('is not read again for a known key within five minutes', async () => {
    const provider = newProvider();
    await provider.keysFor(KNOWN);
    passTime(295_000);
    expect(await requestsOf(() => provider.keysFor(KNOWN))).toBe(0);
  });

  it('is not read where there is none', async () => {
    expect(await requestsOf(() => new IdentityProvider(settingsWith()).onApplicationBootstrap())).toBe(0);
  });

  it('is asked for JSON', async () => {
    const accepted: unknown[] = [];
    handle = (request, response) => {
      accepted.push(request.headers.accept);
      serve()(request, response);
    };
    await newProvider().keysFor(KNOWN);
    expect(accepted).toEqual(['application/json', 'application/json']);
  });

  it.each<[string, () => RequestListener, RegExp]>([
    ['does not respond', () => () => undefined, /timeout/],
    ['sends a body that does not end', () => (_, response) => void response.write('{'), /timeout/],
    ['sends a body that is too large', () => flood, /more than 262144 bytes/],
    ['closes the connection', () => hangUp, /closed|hang up|ECONNRESET/],
    ['is down', () => (_, response) => response.writeHead(503).end('{}'), /status 503/],
    ['redirects', () => redirect, /redirect/],
    ['sends HTML', () => (_, response) => response.end('<html>'), /JSON/],
    ['sends a text', () => (_, response) => response.end('"x"'), /no JSON object/],
    ['sends null', () => (_, response) => response.end('null'), /no JSON object/],
    ['is another issuer', () => serve({ issuer: 'https://others.example' }), /another issuer/],
    ['names no keys', () => serve({ jwks_uri: undefined }), /jwks_uri/],
    ['has its keys at an address that is not safe', () => serve({ jwks_uri: 'http://x.example/jwks' }), /jwks_uri/],
    ['has keys that are no list', () => serve({}, { keys: 'x' }), /JSON Web Key Set/],
  ])('that %s is unavailable, and the log says why', async (_title, responses, reason) => {
    handle = responses();
    if (reason.test('timeout')) jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(500));
    await expect(newProvider().keysFor(KNOWN)).rejects.toMatchObject({ status: 503, code: 1904 });
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ reason: expect.stringMatching(reason) as string }));
  });

  it.each([
    ['of another type', { ...jwk, kty: 'oct', k: 'eA' }],
    ['that are not for signatures', { ...jwk, use: 'enc' }],
    ['for another algorithm', { ...jwk, alg: 'PS256' }],
    ['that are broken', { ...jwk, n: undefined }],
  ])('has keys %s: they are not used', async (_title, key) => {
    handle = serve({}, { keys: [key] });
    expect(await find(newProvider(), KNOWN)).toBeUndefined();
  });

  it('has the addresses of its login in ASCII, so headers can contain them', async () => {
    handle = serve({ token_endpoint: 'https://b\u00fccher.example:8443/\u0101 x\n' });
    const provider = newProvider();
    await provider.keysFor(KNOWN);
    expect(provider.endpoints?.tokenUrl).toBe('https://xn--bcher-kva.example:8443/%C4%81%20x');
  });

  it.each(['authorization_endpoint', 'token_endpoint'])('offers no login where its %s is not safe', async (name) => {
    handle = serve({ [name]: 'http://x.example/token' });
    const provider = newProvider();
    await provider.keysFor(KNOWN);
    expect(provider.endpoints).toBeUndefined();
  });
});

/** Sends the client to another place, where the right document is. */
function redirect(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === DISCOVERY) response.writeHead(302, { location: `/moved${DISCOVERY}` }).end();
  else serve()(request, response);
}

/** Sends until the client closes the connection. */
function flood(_request: IncomingMessage, response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

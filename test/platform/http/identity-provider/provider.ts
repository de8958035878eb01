import { ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Algorithm, sign } from 'jsonwebtoken';

export const AUDIENCE = 'https://roster.example/api';

/** The subject of the tokens that `issue` gets. */
export const SUBJECT = 'nightly-import';

/** A signing key of the provider. */
export interface ProviderKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function newKey(kid: string, type: 'rsa' | 'ec' = 'rsa'): ProviderKey {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, ...pair };
}

/** The npm package oidc-provider, in a process of its own (provider-process.mjs). */
export class OpenIdProvider {
  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(keys: readonly ProviderKey[]): Promise<OpenIdProvider> {
    const child = fork(join(__dirname, 'provider-process.mjs'), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return new OpenIdProvider(child, await send(child, keys));
  }

  /** Replaces all keys. */
  async rotate(keys: readonly ProviderKey[]): Promise<void> {
    await send(this.child, keys);
  }

  /** Gets an access token by the grant of client credentials. */
  async issue(): Promise<string> {
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${SUBJECT}:secret`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'registry' }),
    });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (!token) throw new Error(`POST ${this.issuer}/token: ${response.status}`);
    return token;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill();
    await once(this.child, 'exit');
  }
}

async function send(child: ChildProcess, keys: readonly ProviderKey[]): Promise<string> {
  const jwks = keys.map(({ kid, privateKey }) => ({ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig' }));
  child.send({ keys: jwks, audience: AUDIENCE });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  return issuer;
}

/** Signs a token as the provider would, with changes. */
export function forge(
  issuer: string,
  { kid, privateKey }: ProviderKey,
  claims: object = {},
  header: object = {},
): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = { iss: issuer, aud: AUDIENCE, sub: SUBJECT, iat: now, exp: now + 60, ...claims };
  const head = { alg: 'RS256' as Algorithm, typ: 'at+jwt', kid, ...header };
  return sign(JSON.stringify(payload), privateKey, {
    header: head,
    algorithm: head.alg,
    allowInvalidAsymmetricKeyTypes: true,
  });
}

import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { createLocalJWKSet, type CryptoKey, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';
import { isProviderUrl } from '../../base/settings/formats';
import { Settings } from '../../base/settings/settings';
import { apiError } from '../../base/errors/api-error';
import { messageOf } from '../../base/errors/message-of';

/** Time for both responses of the provider, with their bodies (ms). */
const TIMEOUT_MS = 4000;

/** The longest response (bytes). The keys of large providers take some 20,000. */
const MAX_BYTES = 256 * 1024;

/** The shortest time between two reads (ms): anybody can make up tokens with keys that nobody knows. */
const PAUSE_MS = 5000;

/** Age at which the keys are read again (ms), so one that the provider withdraws stops working. */
const MAX_AGE_MS = 5 * 60_000;

/** The addresses at which a browser logs in. */
export interface LoginEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** What the provider says of itself. */
interface Provider {
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  readonly endpoints: LoginEndpoints | undefined;
}

/** The names of OpenID Connect Discovery §3. */
type Metadata = Partial<Record<'issuer' | 'jwks_uri' | 'authorization_endpoint' | 'token_endpoint', unknown>>;

/**
 * The identity provider of `OIDC_ISSUER`, found through its discovery document (docs/adr/0025). What was read is kept, so
 * tokens with a known key work while the provider is out of reach.
 */
@Injectable()
export class IdentityProvider implements OnApplicationBootstrap {
  private readonly log = new Logger('IdentityProvider');
  private provider: Provider | undefined;
  private reading: Promise<void> = Promise.resolve();
  private startedAt = -Infinity;
  private readAt = -Infinity;
  private isDown = false;

  constructor(private readonly settings: Settings) {}

  /** Reads ahead and does not wait, so the log has a wrong setting at once, and a provider that is down stops no start. */
  onApplicationBootstrap(): void {
    if (this.settings.oidcIssuer) void this.read();
  }

  /** The addresses of the login; undefined until the provider has named them. */
  get endpoints(): LoginEndpoints | undefined {
    if (!this.provider) void this.read();
    return this.provider?.endpoints;
  }

  /**
   * The keys that the header of a token fits: two can have one id, while a provider changes its key. A header that fits
   * none makes the keys be read again.
   * @throws JWKSNoMatchingKey when the provider has none; ApiError providerUnavailable when that is not known
   */
  async keysFor(header: JWSHeaderParameters): Promise<CryptoKey[]> {
    const known = await this.find(header);
    if (known.length > 0 && performance.now() - this.readAt < MAX_AGE_MS) return known;
    const reading = this.read();
    if (known.length > 0) return known;
    await reading;
    const keys = await this.find(header);
    if (keys.length > 0) return keys;
    throw this.isDown ? apiError('providerUnavailable') : new errors.JWKSNoMatchingKey();
  }

  private async find(header: JWSHeaderParameters): Promise<CryptoKey[]> {
    const keys: CryptoKey[] = [];
    try {
      if (this.provider) keys.push(await this.provider.keys(header));
    } catch (error) {
      // jose compares the key's id, type and use with the algorithm, and throws unless exactly one fits.
      if (error instanceof errors.JWKSMultipleMatchingKeys) for await (const key of error) keys.push(key);
    }
    return keys;
  }

  /** Reads once for all who ask at the same time; soon after the last read, it returns that one. Never rejects. */
  private read(): Promise<void> {
    if (performance.now() - this.startedAt < PAUSE_MS) return this.reading;
    this.startedAt = performance.now();
    const read = readProvider(this.settings.oidcIssuer, AbortSignal.timeout(TIMEOUT_MS));
    this.reading = read.then(
      (provider) => this.succeed(provider),
      (error: unknown) => this.fail(error),
    );
    return this.reading;
  }

  private succeed(provider: Provider): void {
    if (this.isDown) this.log.log('The identity provider is available again.');
    [this.provider, this.isDown, this.readAt] = [provider, false, performance.now()];
  }

  private fail(error: unknown): void {
    if (!this.isDown) this.log.warn({ msg: 'Identity provider unavailable', reason: messageOf(error) });
    this.isDown = true;
  }
}

async function readProvider(issuer: string, signal: AbortSignal): Promise<Provider> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await readJson<Metadata>(url, signal);
  if (metadata.issuer !== issuer) throw new Error(`${url} names another issuer than OIDC_ISSUER`);
  const { jwks_uri: keysUrl, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = metadata;
  if (!isProviderUrl(keysUrl)) throw new Error(`${url} has a jwks_uri that is not an https URL`);
  const keys = createLocalJWKSet(await readJson<JSONWebKeySet>(keysUrl, signal));
  const hasLogin = isProviderUrl(authorizationUrl) && isProviderUrl(tokenUrl);
  return {
    keys,
    endpoints: hasLogin ? { authorizationUrl: asAscii(authorizationUrl), tokenUrl: asAscii(tokenUrl) } : undefined,
  };
}

/** A URL as it can stand in headers and pages. */
function asAscii(url: string): string {
  return new URL(url).href;
}

async function readJson<T>(url: string, signal: AbortSignal): Promise<T> {
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
    const value: unknown = JSON.parse(await boundedText(response));
    if (response.status === 200 && typeof value === 'object' && value !== null) return value as T;
    throw new Error(`the response has status ${response.status}, or is no JSON object`);
  } catch (error) {
    // `fetch` says "fetch failed", and hides why.
    throw new Error(`${url}: ${messageOf((error as Error).cause ?? error)}`, { cause: error });
  }
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

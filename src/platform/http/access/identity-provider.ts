import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { createRemoteJWKSet, type CryptoKey, customFetch, errors, type JWSHeaderParameters } from 'jose';
import { isProviderUrl } from '../../base/settings/formats';
import { Settings } from '../../base/settings/settings';
import { apiError } from '../../base/errors/api-error';
import { messageOf } from '../../base/errors/message-of';

/** Time for one response of the provider (ms). */
const TIMEOUT_MS = 4000;

/** The longest response (characters). The keys of large providers take some 20,000. */
const MAX_LENGTH = 256 * 1024;

/** The shortest time between two reads of the keys (ms): anybody can make up tokens with keys that nobody knows. */
const PAUSE_MS = 5000;

/** Time between two reads of everything (ms), so a key that the provider withdraws stops working. */
const RENEWAL_MS = 5 * 60_000;

/** The addresses at which a browser logs in. */
export interface LoginEndpoints {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** What the provider says of itself. */
interface Provider {
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
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
  private reading: Promise<void> | undefined;
  private isDown = false;
  private failedAt = -Infinity;
  /** How often something was read: a token may have been compared with earlier keys. */
  reads = 0;

  constructor(private readonly settings: Settings) {}

  /** Reads ahead and does not wait, so the log shows a wrong setting immediately, and a provider that is down stops no start. */
  onApplicationBootstrap(): void {
    if (!this.settings.oidcIssuer) return;
    void this.read();
    setInterval(() => void this.read(), RENEWAL_MS).unref();
  }

  /** The addresses of the login; undefined until the provider has named them. */
  get endpoints(): LoginEndpoints | undefined {
    return this.provider?.endpoints;
  }

  /**
   * The key that the header of a token fits. One that fits none makes jose read the keys again.
   * @throws JWKSNoMatchingKey; JWKSMultipleMatchingKeys; ApiError providerUnavailable when the keys could not be read
   */
  async keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (!this.provider) await this.read();
    if (!this.provider) throw apiError('providerUnavailable');
    return this.provider.keys(header).catch((error: unknown) => {
      throw error instanceof errors.JOSEError || !this.isDown ? error : apiError('providerUnavailable');
    });
  }

  /**
   * Reads the keys again, unless that was just done, for a token that none of them has signed.
   * @param reads before the token was compared with them
   * @param kid the key that the token names
   * @returns whether they were read since
   * @throws ApiError providerUnavailable when they could not be, and the token does not name its key
   */
  async readAgain(reads: number, kid: string | undefined): Promise<boolean> {
    const { keys } = this.provider!;
    if (keys.coolingDown) return this.reads > reads;
    const isRead = await keys.reload().then(
      () => true,
      () => false,
    );
    if (!isRead && kid === undefined) throw apiError('providerUnavailable');
    return isRead;
  }

  /** Reads once for all who ask at the same time. Never rejects: what was read before is kept. */
  private read(): Promise<void> {
    this.reading ??= this.readProvider()
      .then(
        (provider) => void (this.provider = provider),
        () => undefined,
      )
      .finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readProvider(): Promise<Provider> {
    const { keysUrl, endpoints } = await this.attempt(() => readMetadata(this.settings.oidcIssuer));
    const keys = createRemoteJWKSet(new URL(keysUrl), {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: PAUSE_MS,
      cacheMaxAge: Infinity,
      [customFetch]: (url, { signal }) => this.attempt(async () => Response.json(await readKeys(url, signal))),
    });
    await keys.reload();
    return { keys, endpoints };
  }

  /** Runs a read, unless one has just failed. @throws Error, which the log has once until one succeeds */
  private async attempt<T>(read: () => Promise<T>): Promise<T> {
    if (Date.now() - this.failedAt < PAUSE_MS) throw new Error('The identity provider was not available just now.');
    try {
      const result = await read();
      this.reads += 1;
      if (this.isDown) this.log.log('The identity provider is available again.');
      this.isDown = false;
      return result;
    } catch (error) {
      // `fetch` says "fetch failed", and hides why.
      const reason = messageOf((error as Error).cause ?? error);
      if (!this.isDown) this.log.warn({ msg: 'Identity provider unavailable', reason });
      [this.isDown, this.failedAt] = [true, Date.now()];
      throw new Error(reason, { cause: error });
    }
  }
}

async function readMetadata(issuer: string): Promise<{ keysUrl: string; endpoints: LoginEndpoints | undefined }> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = await readJson<Metadata | null>(url, AbortSignal.timeout(TIMEOUT_MS));
  if (metadata?.issuer !== issuer) throw new Error(`${url} names another issuer than OIDC_ISSUER`);
  const { jwks_uri: keysUrl, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = metadata;
  if (!isProviderUrl(keysUrl)) throw new Error(`${url} has a jwks_uri that is not an https URL`);
  if (!isProviderUrl(authorizationUrl) || !isProviderUrl(tokenUrl)) return { keysUrl, endpoints: undefined };
  // As they can stand in headers and pages.
  const ascii = (address: string): string => new URL(address).href;
  return { keysUrl, endpoints: { authorizationUrl: ascii(authorizationUrl), tokenUrl: ascii(tokenUrl) } };
}

/** jose refuses a set with an element that is no object. */
async function readKeys(url: string, signal: AbortSignal): Promise<{ keys: unknown[] }> {
  const set = await readJson<{ keys?: unknown } | null>(url, signal);
  if (!Array.isArray(set?.keys)) throw new Error(`${url} has no JSON Web Key Set`);
  return { keys: set.keys.filter((key) => typeof key === 'object' && key !== null && !Array.isArray(key)) };
}

async function readJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`${url} responds with status ${response.status}`);
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.length > MAX_LENGTH) throw new Error(`${url} responds with more than ${MAX_LENGTH} characters`);
  }
  return JSON.parse(text) as T;
}

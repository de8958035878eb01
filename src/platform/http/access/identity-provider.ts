import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { createRemoteJWKSet, type CryptoKey, errors, type JWSHeaderParameters } from 'jose';
import { isProviderUrl } from '../../base/settings/formats';
import { Settings } from '../../base/settings/settings';
import { apiError } from '../../base/errors/api-error';
import { messageOf } from '../../base/errors/message-of';

/** Time for one response of the provider (ms). */
const TIMEOUT_MS = 4000;

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

  constructor(private readonly settings: Settings) {}

  /** Reads ahead and does not wait, so the log has a wrong setting at once, and a provider that is down stops no start. */
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
   * @throws JWKSNoMatchingKey; ApiError providerUnavailable when the provider could not be asked
   */
  async keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (!this.provider) await this.read();
    if (!this.provider) throw apiError('providerUnavailable');
    try {
      return await this.provider.keys(header);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw apiError('providerUnavailable');
    }
  }

  /** Reads once for all who ask at the same time. Never rejects. */
  private read(): Promise<void> {
    this.reading ??= readProvider(this.settings.oidcIssuer)
      .then(
        (provider) => {
          if (this.isDown) this.log.log('The identity provider is available again.');
          [this.provider, this.isDown] = [provider, false];
        },
        (error: unknown) => {
          // `fetch` says "fetch failed", and hides why.
          const reason = messageOf((error as Error).cause ?? error);
          if (!this.isDown) this.log.warn({ msg: 'Identity provider unavailable', reason });
          this.isDown = true;
        },
      )
      .finally(() => (this.reading = undefined));
    return this.reading;
  }
}

async function readProvider(issuer: string): Promise<Provider> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) throw new Error(`${url} responds with status ${response.status}`);
  const metadata = (await response.json()) as Metadata | null;
  if (metadata?.issuer !== issuer) throw new Error(`${url} names another issuer than OIDC_ISSUER`);
  const { jwks_uri: keysUrl, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = metadata;
  if (!isProviderUrl(keysUrl)) throw new Error(`${url} has a jwks_uri that is not an https URL`);
  const options = { timeoutDuration: TIMEOUT_MS, cooldownDuration: PAUSE_MS, cacheMaxAge: Infinity };
  const keys = createRemoteJWKSet(new URL(keysUrl), options);
  await keys.reload();
  const hasLogin = isProviderUrl(authorizationUrl) && isProviderUrl(tokenUrl);
  // As they can stand in headers and pages.
  const ascii = (address: string): string => new URL(address).href;
  return {
    keys,
    endpoints: hasLogin ? { authorizationUrl: ascii(authorizationUrl), tokenUrl: ascii(tokenUrl) } : undefined,
  };
}

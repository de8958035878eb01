import { Injectable } from '@nestjs/common';
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, type JWTVerifyResult } from 'jose';
import { Settings } from '../../base/settings/settings';
import { ApiError, apiError } from '../../base/errors/api-error';
import { codePointLength } from '../../base/text/text';
import { decodeUnverified, ISSUER } from './access-tokens';
import type { OidcClaims } from './account';
import { IdentityProvider } from './identity-provider';
import { reasonOf, RefusedToken, shown } from './refused-token';
import { logSecurity } from './security-events';

/** RFC 8725 §3.1: no symmetric ones, so nobody can sign with a public key, and never `none`. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];

/** The difference between the clocks that is accepted (s). */
const CLOCK_TOLERANCE = 10;

/** The longest `externalId`, in code points (contract §3 User). */
const MAX_SUBJECT = 255;

/** Verifies access tokens of the identity provider. */
@Injectable()
export class OidcTokens {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly settings: Settings,
  ) {}

  /** Recognizes a token that claims to be of the provider, and so is verified here. */
  isIssuerOf(token: string): boolean {
    const { oidcIssuer } = this.settings;
    if (oidcIssuer === '') return false;
    const iss = (decodeUnverified(token)?.payload as JWTPayload | null | undefined)?.iss;
    if (iss === oidcIssuer) return true;
    // Mostly of the provider, by another name.
    if (iss !== undefined && iss !== ISSUER) logRefusal(`iss is ${shown(iss)}, not ${oidcIssuer}`);
    return false;
  }

  /**
   * The claims of a token whose signature, issuer, audience and times are valid. The log says why another one is refused.
   * @throws ApiError tokenUnusable, also for one that is not an access token, never expires, or is about nobody;
   *   providerUnavailable
   */
  async verify(token: string): Promise<OidcClaims> {
    try {
      return this.claimsIn(await this.verifySignature(token));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { header = {} } = decodeUnverified(token) ?? {};
      logRefusal(error instanceof RefusedToken ? error.message : reasonOf(error, header, this.settings.oidcAudience));
      throw apiError('tokenUnusable');
    }
  }

  /** Verifies a token. If no known key has signed it, a key may have been replaced: then it reads them and tries again. */
  private async verifySignature(token: string): Promise<JWTVerifyResult> {
    const { reads } = this.provider;
    return this.tryKeys(token).catch(async (error: unknown) => {
      const kid = decodeUnverified(token)?.header.kid;
      if (!isUnsigned(error) || !(await this.provider.readAgain(reads, kid))) throw error;
      return this.tryKeys(token);
    });
  }

  /** Tries all keys that the header fits: two can have one id, while a provider changes its key, or none. */
  private async tryKeys(token: string): Promise<JWTVerifyResult> {
    const { oidcIssuer: issuer, oidcAudience: audience } = this.settings;
    const options = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE };
    try {
      return await jwtVerify(token, (header: JWTHeaderParameters) => this.provider.keyFor(header), options);
    } catch (several) {
      if (!(several instanceof errors.JWKSMultipleMatchingKeys)) throw several;
      for await (const key of several) {
        const verified = await jwtVerify(token, key, options).catch((error: unknown) => {
          if (!isUnsigned(error)) throw error;
        });
        if (verified) return verified;
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  }

  /** @throws RefusedToken */
  private claimsIn({ protectedHeader, payload }: JWTVerifyResult): OidcClaims {
    const { oidcSubjectClaim: claim } = this.settings;
    const { exp, auth_time: authTime, [claim]: subject } = payload;
    if (!isAccessToken(protectedHeader, payload)) throw new RefusedToken(NO_ACCESS_TOKEN);
    if (exp === undefined) throw new RefusedToken('it has no exp');
    if (typeof subject !== 'string' || subject === '' || codePointLength(subject) > MAX_SUBJECT)
      throw new RefusedToken(`${claim} is ${shown(subject)}, not a subject of 1 to ${MAX_SUBJECT} characters`);
    return { subject, exp, authTime, payload };
  }
}

/** Recognizes that no key has signed a token. For an unusable key, jose throws an error of another class than its own. */
function isUnsigned(error: unknown): boolean {
  const isOfToken = error instanceof ApiError || error instanceof errors.JOSEError;
  return !isOfToken || error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSInvalid;
}

const NO_ACCESS_TOKEN = 'it is not an access token by its type or claims: perhaps an ID token';

function logRefusal(reason: string): void {
  logSecurity('tokenRefused', { reason });
}

/** Claims of ID tokens (OpenID Connect Core §2, §3.3.2.11) and of logout tokens (Back-Channel Logout §2.4). */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** The values with which Keycloak marks what is no access token, in a claim. */
const OTHER_TYPES: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

/**
 * Recognizes an access token: by its type if it has the one of RFC 9068 §2.1, otherwise by claims that only other tokens have
 * (RFC 8725 §3.11, §3.12). Many providers issue access tokens of type `JWT`, or of none.
 */
function isAccessToken({ typ = 'JWT', crit }: JWTHeaderParameters, payload: JWTPayload): boolean {
  if (crit !== undefined || typeof typ !== 'string') return false;
  // Cognito marks its tokens by `token_use`. A stolen token with `cnf` must not be usable: its sender
  // has to prove that they have a key (RFC 7800 §3), which nothing here verifies.
  if ('cnf' in payload || /^(?:id|refresh)/i.test(String(payload.token_use))) return false;
  const type = typ.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return true;
  return type === 'jwt' && !CLAIMS_OF_OTHERS.some((claim) => claim in payload) && !OTHER_TYPES.includes(payload.typ);
}

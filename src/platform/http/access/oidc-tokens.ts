import { Injectable } from '@nestjs/common';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { Settings } from '../../base/settings/settings';
import { ApiError, apiError } from '../../base/errors/api-error';
import { codePointLength } from '../../base/text/text';
import { decodeUnverified } from './access-tokens';
import type { OidcClaims } from './account';
import { IdentityProvider } from './identity-provider';

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
    return oidcIssuer !== '' && (decodeUnverified(token)?.payload as JWTPayload | null | undefined)?.iss === oidcIssuer;
  }

  /**
   * The claims of a token whose signature, issuer, audience and times are valid.
   * @throws ApiError tokenUnusable, also for one that is not an access token, never expires, or is about nobody;
   *   providerUnavailable
   */
  async verify(token: string): Promise<OidcClaims> {
    const { oidcIssuer: issuer, oidcAudience: audience, oidcSubjectClaim } = this.settings;
    const options = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE };
    const keyFor = (header: JWTHeaderParameters) => this.provider.keyFor(header);
    const verified = await jwtVerify(token, keyFor, options).catch((error: unknown) => {
      throw error instanceof ApiError ? error : apiError('tokenUnusable');
    });
    const { exp, auth_time: authTime, [oidcSubjectClaim]: subject } = verified.payload;
    const isUsable = isAccessToken(verified.protectedHeader, verified.payload) && exp !== undefined;
    if (!isUsable || typeof subject !== 'string' || subject === '' || codePointLength(subject) > MAX_SUBJECT)
      throw apiError('tokenUnusable');
    return { subject, exp, authTime };
  }
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
  // Cognito marks its tokens by `token_use`. Whoever has stolen a token with `cnf` must not be able to use it: its sender
  // has to prove that they have a key (RFC 7800 §3), which nothing here verifies.
  if ('cnf' in payload || /^(?:id|refresh)/i.test(String(payload.token_use))) return false;
  const type = typ.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return true;
  return type === 'jwt' && !CLAIMS_OF_OTHERS.some((claim) => claim in payload) && !OTHER_TYPES.includes(payload.typ);
}

import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Jwt, JwtHeader, JwtPayload } from 'jsonwebtoken';
import { SecretOrKeyProvider, Strategy } from 'passport-jwt';
import { Settings } from '../config/settings';
import { codePointLength } from '../validation/text';
import { credentialFor, type OidcClaims, unverified } from './credentials';
import { IdentityProvider } from './identity-provider';

/** RFC 8725 §3.1: no symmetric ones, so nobody can sign with a public key, and never `none`. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'] as const;

/** The difference between the clocks that is accepted (s). */
const CLOCK_TOLERANCE = 10;

/** The longest `externalId`, in code points (contract §3 User). */
const MAX_SUBJECT = 255;

/** Verifies access tokens of the identity provider. */
@Injectable()
export class OidcStrategy extends PassportStrategy(Strategy, 'oidc') {
  private readonly subjectClaim: string;

  constructor(provider: IdentityProvider, { oidcIssuer, oidcAudience, oidcSubjectClaim }: Settings) {
    const secretOrKeyProvider = ((_request: unknown, token: string, done) => {
      const { alg, kid } = unverified(token)!.header;
      const isAllowed = ALGORITHMS.some((one) => one === alg);
      (isAllowed ? provider.keyFor({ alg, kid }) : Promise.resolve(undefined)).then(
        (key) => done(key ? null : new Error('unknown key'), key as never),
        (error: unknown) => done(error),
      );
    }) as SecretOrKeyProvider;
    super({
      jwtFromRequest: (request: IncomingMessage) => credentialFor('oidc', request, oidcIssuer),
      secretOrKeyProvider,
      algorithms: [...ALGORITHMS],
      issuer: oidcIssuer,
      audience: oidcAudience,
      jsonWebTokenOptions: { complete: true, clockTolerance: CLOCK_TOLERANCE },
    });
    this.subjectClaim = oidcSubjectClaim;
  }

  /**
   * The claims of a token whose signature, issuer, audience and times are valid.
   * @returns false for one that is not an access token, never expires, or is about nobody
   */
  validate({ header, payload }: Jwt): OidcClaims | false {
    const { exp, [this.subjectClaim]: subject } = payload as JwtPayload & Record<string, unknown>;
    if (!isAccessToken(header, payload as JwtPayload) || typeof exp !== 'number') return false;
    if (typeof subject !== 'string' || subject === '' || codePointLength(subject) > MAX_SUBJECT) return false;
    return { subject, exp };
  }
}

/** Claims of ID tokens (OpenID Connect Core §2, §3.3.2.11) and of logout tokens (Back-Channel Logout §2.4). */
const CLAIMS_OF_OTHERS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/** The values with which Keycloak marks what is no access token, in a claim. */
const OTHER_TYPES: readonly unknown[] = ['ID', 'Refresh', 'Offline', 'Logout'];

/**
 * Tells an access token: by its type if it has the one of RFC 9068 §2.1, otherwise by claims that only other tokens have
 * (RFC 8725 §3.11, §3.12). Many providers issue access tokens of type `JWT`, or of none.
 */
function isAccessToken({ typ = 'JWT', crit }: JwtHeader, payload: JwtPayload): boolean {
  if (crit !== undefined || typeof typ !== 'string') return false;
  const type = typ.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return true;
  return type === 'jwt' && !CLAIMS_OF_OTHERS.some((claim) => claim in payload) && !OTHER_TYPES.includes(payload.typ);
}

import type { IncomingMessage } from 'node:http';
import { decode, type Jwt, type JwtPayload } from 'jsonwebtoken';
import type { AccessTokenClaims } from './access-tokens';

/** The strategies of Passport: for access tokens of this service, and for those of the identity provider. */
export const STRATEGIES = ['jwt', 'oidc'] as const;

/** What an API key says that has the right form: only the database knows more. */
export interface ApiKeyClaims {
  readonly keyHash: string;
}

/** What a token of the identity provider says: whom it is about, and when it expires. */
export interface OidcClaims {
  readonly subject: string;
  readonly exp: number;
}

/** What was verified of a credential. Its account is loaded for every request. */
export type Claims = AccessTokenClaims | ApiKeyClaims | OidcClaims;

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
export const BEARER = /^bearer(?: |$)/i;

/** The credential of an Authorization header: one, and nothing after it. */
export function credentialIn(authorization = ''): string | undefined {
  return /^\S+ +(\S+)$/.exec(authorization)?.[1];
}

/**
 * The token of a request, if it is for this strategy. Passport tries one strategy after the other; a token goes to one
 * only, so the 401 of the other never hides an error.
 * @param oidcIssuer the setting; empty without an identity provider
 */
export function tokenFor(
  strategy: (typeof STRATEGIES)[number],
  { headers }: IncomingMessage,
  oidcIssuer: string,
): string | null {
  const token = credentialIn(headers.authorization) ?? '';
  const { iss } = (unverified(token)?.payload ?? {}) as JwtPayload;
  const isOfProvider = oidcIssuer !== '' && iss === oidcIssuer;
  return isOfProvider === (strategy === 'oidc') ? token : null;
}

/** What a token says of itself; jsonwebtoken throws for some texts that are not tokens. */
export function unverified(token: string): Jwt | undefined {
  try {
    return decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined;
  }
}

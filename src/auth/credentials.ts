import type { IncomingMessage } from 'node:http';
import { decode, type Jwt, type JwtPayload } from 'jsonwebtoken';
import { looksLikeApiKey } from './api-key';
import type { AccessTokenClaims } from './access-tokens';

/** The strategies of Passport, each for one kind of credential. */
export const STRATEGIES = ['jwt', 'api-key', 'oidc'] as const;
export type StrategyName = (typeof STRATEGIES)[number];

/** What an API key says that has the right form: only the database knows more. */
export interface ApiKeyClaims {
  readonly keyHash: string;
}

/** What a token of the identity provider says: whom it is about, and when it expires. */
export interface OidcClaims {
  readonly subject: string;
  readonly exp: number;
}

/** What a strategy has verified of a credential. The account behind it is loaded for every request. */
export type Claims = AccessTokenClaims | ApiKeyClaims | OidcClaims;

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
export const BEARER = /^bearer(?: |$)/i;

/** One credential and nothing after it. */
export const BEARER_CREDENTIAL = /^\S+ +(\S+)$/;

/**
 * The credential of a request, if it is for this strategy. Passport tries one strategy after the other; a credential goes to
 * one only, so the 401 of another never hides an error.
 * @param oidcIssuer the setting; empty without an identity provider
 */
export function credentialFor(
  strategy: StrategyName,
  { headers }: Pick<IncomingMessage, 'headers'>,
  oidcIssuer = '',
): string | null {
  const [, credential = ''] = BEARER_CREDENTIAL.exec(headers.authorization ?? '') ?? [];
  return strategyOf(credential, oidcIssuer) === strategy ? credential : null;
}

function strategyOf(credential: string, oidcIssuer: string): StrategyName {
  if (looksLikeApiKey(credential)) return 'api-key';
  return oidcIssuer !== '' && issuerOf(credential) === oidcIssuer ? 'oidc' : 'jwt';
}

function issuerOf(credential: string): string | undefined {
  return (unverified(credential)?.payload as JwtPayload | null | undefined)?.iss;
}

/** What a token says of itself; jsonwebtoken throws for some texts that are not tokens. */
export function unverified(token: string): Jwt | undefined {
  try {
    return decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined;
  }
}

import type { IncomingMessage } from 'node:http';
import { looksLikeApiKey } from './api-key';
import type { AccessTokenClaims } from './access-tokens';

/** The strategies of Passport, each for one kind of credential. */
export const STRATEGIES = ['jwt', 'api-key'] as const;
export type StrategyName = (typeof STRATEGIES)[number];

/** What an API key says that has the right form: only the database knows more. */
export interface ApiKeyClaims {
  readonly keyHash: string;
}

/** What a strategy has verified of a credential. The account behind it is loaded for every request. */
export type Claims = AccessTokenClaims | ApiKeyClaims;

/** RFC 6750 §2.1; the name of a scheme is case-insensitive (RFC 9110 §11.1). */
export const BEARER = /^bearer(?: |$)/i;

/** One credential and nothing after it. */
export const BEARER_CREDENTIAL = /^\S+ +(\S+)$/;

/**
 * The credential of a request, if it is for this strategy. Passport tries one strategy after the other; a credential goes to
 * one only, so the 401 of another never hides an error.
 */
export function credentialFor(strategy: StrategyName, { headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const [, credential = ''] = BEARER_CREDENTIAL.exec(headers.authorization ?? '') ?? [];
  return strategyOf(credential) === strategy ? credential : null;
}

function strategyOf(credential: string): StrategyName {
  return looksLikeApiKey(credential) ? 'api-key' : 'jwt';
}

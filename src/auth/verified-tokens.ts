import type { AccessTokenClaims } from './access-tokens';

/** Most tokens that are remembered: about 6 MB. Beyond that, the oldest is verified again. */
export const MAX_REMEMBERED = 10_000;

/** The longest header that is remembered: ours have some 300 characters, but spaces can make them 16,000. */
const MAX_LENGTH = 500;

/**
 * Remembers the claims of access tokens that were verified, until they expire: verifying takes a fifth of the CPU time of
 * a GET. Account, roles and session are read for every request. The keys of a process never change.
 */
export class VerifiedTokens {
  private readonly claims = new Map<string, AccessTokenClaims>();

  /** The claims of a token that was verified before and has not expired. @param authorization the whole header */
  find(authorization = ''): AccessTokenClaims | undefined {
    const claims = this.claims.get(authorization);
    // In whole seconds, as jsonwebtoken compares.
    if (!claims || Math.floor(Date.now() / 1000) < claims.exp) return claims;
    this.claims.delete(authorization);
    return undefined;
  }

  add(authorization: string, claims: AccessTokenClaims): void {
    if (authorization.length > MAX_LENGTH) return;
    if (this.claims.size >= MAX_REMEMBERED) this.claims.delete(this.claims.keys().next().value!);
    this.claims.set(authorization, claims);
  }
}

import { BoundedMap } from './bounded-map';
import type { Claims } from './credentials';

/** Most credentials that are remembered: about 6 MB. Beyond that, the oldest is verified again. */
export const MAX_REMEMBERED = 10_000;

/** The longest header that is remembered: ours have some 300 characters, but spaces can make them 16,000. */
const MAX_LENGTH = 500;

/**
 * Remembers what was verified of access tokens, until they expire, and of API keys: verifying takes a fifth of the CPU time of
 * a GET. Account, roles and session or key are read for every request. The keys of a process never change; those of the
 * identity provider do, so its tokens are verified every time.
 */
export class VerifiedTokens {
  private readonly claims = new BoundedMap<Claims>(MAX_REMEMBERED);

  /** The claims of a credential that was verified before and has not expired. @param authorization the whole header */
  find(authorization = ''): Claims | undefined {
    const claims = this.claims.get(authorization);
    // In whole seconds, as jsonwebtoken compares.
    if (!claims || !('exp' in claims) || Math.floor(Date.now() / 1000) < claims.exp) return claims;
    this.claims.delete(authorization);
    return undefined;
  }

  add(authorization: string, claims: Claims): void {
    if (authorization.length > MAX_LENGTH || 'subject' in claims) return;
    this.claims.set(authorization, claims);
  }
}

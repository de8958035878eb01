/** The code of a write that breaks a unique index. */
const DUPLICATE_KEY = 11000;

/**
 * Whether a write failed since it breaks a unique index. A lost race for a key ends so, too: while the two transactions
 * overlap the loser meets a write conflict (112) and is run again, and then the winner's key is there (ADR 3).
 */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

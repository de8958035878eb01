/** The code of a write that breaks a unique index. */
const DUPLICATE_KEY = 11000;

/**
 * Whether a write failed because it breaks a unique index. While two transactions overlap, the loser of a race for a key
 * gets a write conflict (112) and runs again; then it finds the winner's key.
 */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

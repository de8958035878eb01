import { DUPLICATE_KEY } from './index-build';

/** Whether a write failed since it breaks a unique index. Inside a transaction this is how SecantusDB tells a lost race. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DUPLICATE_KEY;
}

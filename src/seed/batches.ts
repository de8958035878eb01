import { isDuplicateKey } from '../database/duplicate-key';
import type { Slugged } from '../slugs/slug-allocation';
import { MAX_TRIES } from '../database/transactions';
import type { Progress } from './progress';

/** One kind of demo records, which go by number from 1 on. */
export interface Kind {
  /** How many are written at once. */
  readonly batch: number;
  /** Those of the numbers whose names nobody has. */
  missing(numbers: readonly number[]): Promise<number[]>;
  /** Adds the records of these numbers, all or none. */
  add(numbers: readonly number[]): Promise<void>;
}

/** Adds what is missing of the records 1 to `total`, batch by batch. */
export async function addMissing(kind: Kind, total: number, progress: Progress): Promise<void> {
  for (let first = 1; first <= total; first += kind.batch) {
    const length = Math.min(kind.batch, total - first + 1);
    const numbers = Array.from({ length }, (_, offset) => first + offset);
    progress.advance(length, await addBatch(kind, numbers));
  }
}

/** Somebody else may take a name between the look and the write: then both are done again. */
async function addBatch(kind: Kind, numbers: readonly number[]): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const missing = await kind.missing(numbers);
    if (missing.length === 0) return 0;
    try {
      await kind.add(missing);
      return missing.length;
    } catch (error) {
      if (!isDuplicateKey(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** The slug that a demo record's name makes, for a new one: base alone, index 0. */
export function slugsOf(text: string): Slugged {
  const slug = { text, base: text, index: 0 };
  return { slug, slugs: [slug] };
}

import { isDuplicateKey } from '../database/duplicate-key';
import type { Slugs } from '../slugs/slug.schema';
import { MAX_ATTEMPTS } from '../database/transactions';
import type { Progress } from './progress';

/** One kind of demo records, which are numbered from 1. */
export interface Kind {
  /** How many are written at once. */
  readonly batch: number;
  /** Returns those of the numbers for which there is no record yet. */
  missing(numbers: readonly number[]): Promise<number[]>;
  /** Adds the records with these numbers, all or none. */
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

/** Another writer may take a name between the look-up and the write: then both are repeated. */
async function addBatch(kind: Kind, numbers: readonly number[]): Promise<number> {
  for (let attempts = 1; ; attempts += 1) {
    const missing = await kind.missing(numbers);
    if (missing.length === 0) return 0;
    try {
      await kind.add(missing);
      return missing.length;
    } catch (error) {
      if (!isDuplicateKey(error) || attempts === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The slugs of a new demo record: base alone, index 0. */
export function slugsOf(text: string): Slugs {
  const slug = { text, base: text, index: 0 };
  return { slug, slugs: [slug] };
}

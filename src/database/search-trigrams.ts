import type { Connection } from 'mongoose';
import { caseFold } from '../validation/case-fold';
import type { AnyModel } from './any-model';
import { MAX_READ_MS } from './connection-options';

/** Oldest records, and as many of the newest, that tell how common a trigram is. */
const SAMPLED = 250;

/** Lifetime of a sample (ms). */
const RENEW_MS = 10 * 60_000;

/** A trigram that a greater share of the records has does not make a search faster than reading them in order. */
const COMMON = 0.1;

/** The number of sampled records of a collection that have each trigram. */
interface Sample {
  readonly size: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly takenAt: number;
}

const samples = new WeakMap<AnyModel, Promise<Sample>>();
const migrated = new WeakSet<Connection>();

/**
 * The trigrams of a case-folded text: every three characters in a row, each once. A text that contains another has all its
 * trigrams. No trigram has a line break, because no `q` has one.
 */
export function trigramsOf(text: string): string[] {
  const trigrams = new Set<string>();
  let [first, second] = ['', ''];
  for (const third of text) {
    if (third === '\n') [first, second] = ['', ''];
    else {
      if (first !== '') trigrams.add(first + second + third);
      [first, second] = [second, third];
    }
  }
  return [...trigrams];
}

/** Says that all records have their trigrams, so searches may rely on them. */
export function enableTrigramSearch(connection: Connection): void {
  migrated.add(connection);
}

/**
 * The trigram of `q` that the fewest records have, to be looked up in the index (docs/adr/0019).
 *
 * @returns undefined when reading the records in their order is faster, or `q` has fewer than three characters
 */
export async function rarestTrigram(model: AnyModel, q: string): Promise<string | undefined> {
  const trigrams = migrated.has(model.db) ? trigramsOf(caseFold(q)) : [];
  if (trigrams.length === 0) return undefined;
  const { size, counts } = await sampleOf(model);
  const countOf = (trigram: string): number => counts.get(trigram) ?? 0;
  const rarest = trigrams.reduce((one, other) => (countOf(other) < countOf(one) ? other : one));
  return countOf(rarest) <= size * COMMON ? rarest : undefined;
}

async function sampleOf(model: AnyModel): Promise<Sample> {
  const current = samples.get(model);
  if (current && (await current).takenAt > Date.now() - RENEW_MS) return current;
  const taken = takeSample(model);
  samples.set(model, taken);
  taken.catch(() => samples.delete(model));
  return taken;
}

/** From both ends, because records that were created together are alike. */
async function takeSample(model: AnyModel): Promise<Sample> {
  const read = (direction: 1 | -1): Promise<{ searchGrams?: string[] }[]> =>
    model.collection
      .find<{
        searchGrams?: string[];
      }>(
        {},
        {
          projection: { searchGrams: 1 },
          sort: { _id: direction },
          limit: SAMPLED,
          hint: { _id: 1 },
          maxTimeMS: MAX_READ_MS,
        },
      )
      .toArray();
  const records = [...(await read(1)), ...(await read(-1))];
  const counts = new Map<string, number>();
  for (const { searchGrams = [] } of records) {
    for (const trigram of searchGrams) counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  return { size: records.length, counts, takenAt: Date.now() };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from 'mongoose';
import { apiError } from '../errors/api-error';
import { isDuplicateKey } from '../database/duplicate-key';
import { allocateSlug, Slugged } from './slug-allocation';

/**
 * How often a write that loses a slug is tried. Each loss is another writer's success, so that this many writers of one
 * base come through at once.
 */
const MAX_SLUG_TRIES = 30;

/** Before each further try a write waits for up to this long (ms), so that the losers do not all meet again. */
const BACKOFF_MS = 40;

/** The write of a record whose slugs are made from its name. */
export interface SlugWrite<R extends Slugged, T> {
  readonly model: Model<R>;
  readonly name: string;
  /** The base of the slug of a name that leaves nothing: `organization`, `api`. */
  readonly fallback: string;
  /** The record's present slugs; none for a new record. */
  readonly own?: Slugged;
  /** Writes the record under these slugs. It may run several times. */
  write(slugs: Slugged): Promise<T>;
  /** Throws the conflict when another unique field than the slug is taken. */
  refuseTaken(): Promise<void>;
}

/**
 * Runs a write under slugs that are free; when another writer takes the slug first, again under the next. So a race for
 * a slug has no loser (contract §1.8).
 *
 * @returns what the write returned
 * @throws what `refuseTaken` throws; Failure concurrentChange after thirty tries in vain; any other error as it is
 */
export async function writeUnderSlug<R extends Slugged, T>(record: SlugWrite<R, T>): Promise<T> {
  const { model, name, fallback, own } = record;
  for (let tries = 1; tries <= MAX_SLUG_TRIES; tries += 1) {
    if (tries > 1) await sleep(Math.random() * BACKOFF_MS);
    const slugs = await allocateSlug(model, name, fallback, own);
    try {
      return await record.write(slugs);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await record.refuseTaken();
    }
  }
  throw apiError('concurrentChange');
}

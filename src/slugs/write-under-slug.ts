import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyModel } from '../database/any-model';
import { isDuplicateKey } from '../database/duplicate-key';
import { apiError } from '../errors/api-error';
import { allocateSlug } from './allocate-slug';
import type { Slugs } from './slug.schema';

/** How often a write that loses a slug is repeated. Each loss is another writer's success, so this many can run at once. */
const MAX_ATTEMPTS = 30;

/** Before each retry a write waits for up to this long (ms), at random. */
const BACKOFF_MS = 40;

/** The write of a record whose slugs are made from its name. */
export interface SluggedWrite<T> {
  readonly model: AnyModel;
  readonly name: string;
  /** The base of the slug if the name has nothing that can be shown in ASCII: `organization`, `api`. */
  readonly fallback: string;
  /** The record's present slugs; none for a new record. */
  readonly own?: Slugs;
  /** Writes the record with these slugs. It may run several times. */
  write(slugs: Slugs): Promise<T>;
  /** Throws the conflict if another unique field than the slug is taken. */
  refuseTaken(): Promise<void>;
}

/**
 * Runs a write with free slugs. If another writer takes the slug first, it runs again with the next one. So a race for
 * a slug has no loser (contract §1.8).
 *
 * @returns what the write returned
 * @throws what `refuseTaken` throws; ApiError concurrentChange after thirty attempts; any other error unchanged
 */
export async function writeUnderSlug<T>(record: SluggedWrite<T>): Promise<T> {
  const { model, name, fallback, own } = record;
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    if (attempts > 1) await sleep(Math.random() * BACKOFF_MS);
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

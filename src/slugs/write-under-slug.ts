import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicateKey } from '../database/duplicate-key';
import { ApiError, apiError } from '../errors/api-error';
import { allocateSlug, SlugRequest } from './allocate-slug';
import type { Slugs } from './slug.schema';

/** How often a write that loses a slug is repeated. Each loss is another writer's success, so this many can run at once. */
const MAX_ATTEMPTS = 30;

/** Before each retry but the first, a write waits for up to this long (ms), at random. */
const BACKOFF_MS = 40;

/** How many slugs a write gives up because an open transaction, perhaps of a dead instance, may hold them. */
const MAX_BLOCKED = 5;

/** The write of a record whose slugs are made from its name. */
export interface SluggedWrite<T> extends SlugRequest {
  /** Writes the record with these slugs. It may run several times. */
  write(slugs: Slugs): Promise<T>;
  /** Throws the conflict if another unique field than the slug is taken. */
  refuseTaken(): Promise<void>;
}

/**
 * Runs a write with free slugs. If another writer takes the slug first, it runs again with the next one. So a race for
 * a slug has no loser (contract §1.8). A new slug that the write cannot get and that nobody has counts as taken.
 *
 * @returns what the write returned
 * @throws what `refuseTaken` throws; ApiError concurrentChange after thirty attempts, or when the write conflicts with
 *   others whatever its slug; any other error unchanged
 */
export async function writeUnderSlug<T>(record: SluggedWrite<T>): Promise<T> {
  const blocked = new Set<string>();
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    if (attempts > 2) await sleep(Math.random() * BACKOFF_MS);
    const slugs = await allocateSlug(record, attempts > 1 ? blocked : undefined);
    try {
      return await record.write(slugs);
    } catch (error) {
      if (isNewSlug(slugs, record.own) && isConcurrentChange(error) && blocked.size < MAX_BLOCKED) {
        blocked.add(slugs.slug.text);
      } else if (!isDuplicateKey(error)) {
        throw error;
      }
      await record.refuseTaken();
    }
  }
  throw apiError('concurrentChange');
}

function isNewSlug({ slug }: Slugs, own: Slugs | undefined): boolean {
  return !own?.slugs.some(({ text }) => text === slug.text);
}

function isConcurrentChange(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'concurrentChange';
}

import { setTimeout as sleep } from 'node:timers/promises';
import { apiError } from '../errors/api-error';
import { etagOf, ifMatch } from '../http/etag';
import type { Account } from './account';
import type { RequestAccess } from './request-access';

/** How often a write is attempted before the caller gets 1510 (contract §1.8). */
const MAX_ATTEMPTS = 5;

/** After attempt n, a write that found its record changed waits for up to 2^n times this long (ms), at random. */
const BACKOFF_MS = 2;

/** The record that the path names, to be updated or deleted; what `@LoadedForUpdate()` passes to a handler. */
export class ForUpdate<R extends { readonly revision: number }> {
  constructor(
    private readonly access: Pick<RequestAccess, 'account' | 'loaded' | 'authorizeAgain'>,
    private readonly ifMatchHeader: string | undefined,
  ) {}

  /** The caller, as loaded when they were last authorized. */
  get account(): Account {
    return this.access.account!;
  }

  /** The record as it was when the caller was last authorized. */
  get record(): R {
    return this.access.loaded.at(-1)!.record as R;
  }

  /** Whether the request has an If-Match header. */
  get isConditional(): boolean {
    return this.ifMatchHeader !== undefined;
  }

  /** @throws ApiError 412 unless the request's If-Match matches this ETag (contract §2) */
  requireMatch(etag = etagOf(this.record)): void {
    if (!ifMatch(this.ifMatchHeader, etag)) throw apiError('preconditionFailed');
  }

  /**
   * Writes the record at the revision that was authorized (contract §1.8).
   * @param attempt writes with the record's revision in its filter, and returns undefined when the filter matches
   *   nothing; then everything is loaded and authorized again, 401 → 404 → 403 → 412, and the write is repeated
   * @throws ApiError concurrentChange after five attempts
   */
  async write<T>(attempt: (record: R) => Promise<T | undefined>): Promise<T> {
    for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
      const written = await attempt(this.record);
      if (written !== undefined) return written;
      await sleep(Math.random() * BACKOFF_MS * 2 ** attempts);
      await this.access.authorizeAgain();
    }
    throw apiError('concurrentChange');
  }
}

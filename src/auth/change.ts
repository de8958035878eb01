import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_TRIES } from '../database/transactions';
import { etagOf, ifMatch } from '../http/etag';
import { apiError } from '../errors/api-error';
import type { Account } from './account';
import type { Judgement } from './judgement';
import type { Found } from './target';

/** After try n a write that found its record changed waits for up to 2^n times this long (ms), so that rivals part. */
const BACKOFF_MS = 2;

/**
 * A change of the record that the path names, with what it takes to judge again when others were faster (contract
 * §1.8).
 */
export class Change<R extends { readonly revision: number }> {
  constructor(
    /** Who writes. */
    readonly account: Account,
    private readonly judgement: Judgement,
    private readonly ifMatchHeader: string | undefined,
  ) {}

  /** The record, as it was judged last. */
  get record(): R {
    return (this.judgement.found.at(-1) as Found<R>).record;
  }

  /** What the path names before the record: the Organization of a Manager. */
  parent<P>(): P {
    return (this.judgement.found.at(-2) as Found<P>).record;
  }

  /** Whether the request has an If-Match. */
  get isConditional(): boolean {
    return this.ifMatchHeader !== undefined;
  }

  /** @throws Failure 412 unless the request's If-Match lets a write of the record with this ETag pass (contract §2) */
  requireMatch(etag = etagOf(this.record)): void {
    if (!ifMatch(this.ifMatchHeader, etag)) throw apiError('preconditionFailed');
  }

  /**
   * Writes at the revision that was judged. `attempt` does it with the revision in its filter, and gives undefined when
   * the filter misses: then the record is read and judged again, 404 → 403 → 412, and the write is applied again.
   *
   * @throws Failure concurrentChange after five tries in vain
   */
  async write<T>(attempt: (record: R) => Promise<T | undefined>): Promise<T> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const written = await attempt(this.record);
      if (written !== undefined) return written;
      await sleep(Math.random() * BACKOFF_MS * 2 ** tries);
      await this.judgement.again();
    }
    throw apiError('concurrentChange');
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { fail } from '../http/failures';

/** How often a transaction that loses a race is tried before its caller gets 1510 (contract §1.8). */
export const MAX_TRIES = 5;

/** How long a transaction may take, tries included, before its caller gets 1901 (ms). The driver alone would go on for 120 s. */
const DEADLINE_MS = 10_000;

/** Before try n a transaction waits for up to 2^n times this long (ms), so that many rivals do not meet again. */
const BACKOFF_MS = 8;

/** Runs units of work that touch several documents (contract §1.7). */
@Injectable()
export class Transactions {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Runs `work` in one snapshot transaction: all that it writes is there afterwards, or nothing. Mongoose gives every
   * operation inside it the session by itself. `work` may run up to five times, so it must have no other effects, must
   * await one operation after another, and must not do slow work (hashing) inside.
   *
   * @returns what `work` returned
   * @throws Failure concurrentChange after five tries in vain, databaseUnavailable past the deadline; whatever `work` throws
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    let tries = 0;
    const attempt = async (): Promise<T> => {
      tries += 1;
      if (tries > MAX_TRIES) throw fail('concurrentChange');
      if (tries > 1) await sleep(Math.random() * BACKOFF_MS * 2 ** tries);
      if (Date.now() > deadline) throw fail('databaseUnavailable');
      return work();
    };
    const options = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;
    return within(DEADLINE_MS, this.connection.transaction<T>(attempt, options));
  }

  /**
   * Runs `work` like `run`, for writes whose filter may miss: when `work` gives undefined, nothing of it is done.
   *
   * @returns what `work` returned, undefined for a miss
   */
  async attempt<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await this.run(async () => {
        const done = await work();
        if (done === undefined) throw MISSED;
        return done;
      });
    } catch (error) {
      if (error === MISSED) return undefined;
      throw error;
    }
  }
}

/** What rolls a transaction back whose filter missed. */
const MISSED = new Error('The filter of a write missed.');

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal, ref: false }).then(
    () => Promise.reject<T>(fail('databaseUnavailable')),
    () => new Promise<T>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

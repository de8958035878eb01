import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { isDatabaseUnavailable } from '../errors/to-api-error';
import { apiError, ApiError } from '../errors/api-error';
import { Turn, Turns } from './mutex';
import { withTimeout } from './with-timeout';

/** How often a transaction that loses a race is tried before its caller gets 1510 (contract §1.8). */
export const MAX_TRIES = 5;

/**
 * How long a transaction may take, tries included, before its caller gets 1901 (ms). The driver alone would go on for
 * 120 s.
 */
const DEADLINE_MS = 10_000;

/**
 * Before try n, from the third on, a transaction waits for up to 2^n times this long (ms): rivals may be in other
 * instances.
 */
const BACKOFF_MS = 4;

/** Runs units of work that touch several documents (contract §1.7). */
@Injectable()
export class Transactions {
  /** Losers go on one after another, so that they do not make each other lose again. */
  private readonly losers = new Turns();
  /** The turn of one that lost twice: whoever is new waits for its end. */
  private precedence: Promise<void> = Promise.resolve();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Runs `work` in one snapshot transaction: all that it writes is there afterwards, or nothing. Mongoose gives every
   * operation inside it the session by itself. `work` may run up to five times, so it must have no other effects, must
   * await one operation after another, and must not do slow work (hashing) inside.
   *
   * @returns what `work` returned
   * @throws Failure concurrentChange after five tries in vain, databaseUnavailable past the deadline; whatever `work`
   *   throws
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    let tries = 0;
    let reason: unknown;
    let turn: Turn | undefined;
    const attempt = async (): Promise<T> => {
      tries += 1;
      if (tries > MAX_TRIES) throw inVain(reason);
      if (tries === 1) await this.precedence;
      else turn = await this.goOn(tries, turn);
      if (Date.now() > deadline) throw apiError('databaseUnavailable');
      return work().catch((error: unknown) => {
        reason = error;
        throw error;
      });
    };
    const done = this.connection.transaction<T>(attempt, OPTIONS).finally(() => turn?.end());
    return withTimeout(DEADLINE_MS, done, () => apiError('databaseUnavailable'));
  }

  /** Waits until a transaction that lost a race may try again. */
  private async goOn(tries: number, turn: Turn | undefined): Promise<Turn> {
    if (!turn) return this.losers.next();
    this.precedence = turn.over;
    await sleep(Math.random() * BACKOFF_MS * 2 ** tries);
    return turn;
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

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** The driver tries again after lost races and after lost connections alike. */
function inVain(reason: unknown): ApiError {
  return apiError(isDatabaseUnavailable(reason) ? 'databaseUnavailable' : 'concurrentChange');
}

/** What rolls a transaction back whose filter missed. */
const MISSED = new Error('The filter of a write missed.');

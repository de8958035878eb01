import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClientSession, Connection, mongo } from 'mongoose';
import { apiError } from '../errors/api-error';
import { isDatabaseUnavailable } from '../errors/to-api-error';
import { Mutex } from './mutex';
import { withTimeout } from './with-timeout';

/** How often a transaction with write conflicts is attempted before its caller gets 1510 (contract §1.8). */
export const MAX_ATTEMPTS = 5;

/** Deadline of a transaction with its retries (ms); then its caller gets 1901. The driver alone retries for 120 s. */
const DEADLINE_MS = 10_000;

/** Before attempt n, from the third on, a transaction waits for up to 2^n times this long (ms), at random. */
const BACKOFF_MS = 4;

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** Rolls back a transaction whose filter matched nothing. */
const NO_MATCH = new Error('The filter of a write matched nothing.');

const sessions = new AsyncLocalStorage<ClientSession>();

/** The session of the transaction that the caller runs in, for operations of the driver; Mongoose knows it by itself. */
export function currentSession(): ClientSession | undefined {
  return sessions.getStore();
}

/** Runs work that writes several documents (contract §1.7). */
@Injectable()
export class Transactions {
  /** For the metrics. */
  readonly counts = { committed: 0, rolledBack: 0, retries: 0 };

  /** Retries are serialized, to avoid livelock. */
  private readonly retries = new Mutex();
  /** Once a transaction has lost twice, new ones wait until it has ended. */
  private priority: Promise<void> = Promise.resolve();
  /** How often connections to the database were lost. */
  private losses = 0;
  private watched: mongo.MongoClient | undefined;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Runs `work` in one snapshot transaction: either all of its writes commit, or none. Mongoose passes the session to
   * every operation inside it, and so does driver-writes.ts. `work` may run up to five times, so it must have no other
   * effects, must await one operation after another, and must not do slow work (hashing).
   *
   * @returns what `work` returned
   * @throws ApiError concurrentChange after five attempts; MongoOperationTimeoutError after ten seconds, when the
   *   database was unavailable five times, or when it is not known whether it was committed; what `work` throws
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.watchLosses();
    const deadline = Date.now() + DEADLINE_MS;
    let attempts = 0;
    let lastError: unknown;
    let lossesAtCommit: number | undefined;
    let isForgotten = false;
    let release: (() => void) | undefined;
    const attempt = async (session: ClientSession): Promise<T> => {
      attempts += 1;
      if (attempts > MAX_ATTEMPTS) throw giveUp(lastError);
      if (attempts > 1) this.counts.retries += 1;
      if (attempts === 1) await this.priority;
      else release = await this.beforeRetry(attempts, release);
      if (Date.now() > deadline) throw unavailable(lastError);
      // It runs again although it was complete: with a lost connection, the database may have forgotten that it committed.
      isForgotten ||= lossesAtCommit !== undefined && this.losses > lossesAtCommit;
      lossesAtCommit = undefined;
      try {
        const result = await sessions.run(session, work);
        lossesAtCommit = this.losses;
        return result;
      } catch (error) {
        lastError = error;
        throw isForgotten && !isRetried(error) ? mayBeDone(error) : error;
      }
    };
    const done = this.count(this.connection.transaction<T>(attempt, OPTIONS)).finally(() => release?.());
    return withTimeout(DEADLINE_MS, done, () => unavailable(lastError));
  }

  /**
   * Runs `work` like `run`, for writes whose filter may match nothing: when `work` returns undefined, it is rolled back.
   *
   * @returns what `work` returned
   */
  async attempt<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await this.run(async () => {
        const result = await work();
        if (result === undefined) throw NO_MATCH;
        return result;
      });
    } catch (error) {
      if (error === NO_MATCH) return undefined;
      throw error;
    }
  }

  private count<T>(transaction: Promise<T>): Promise<T> {
    transaction.then(
      () => (this.counts.committed += 1),
      () => (this.counts.rolledBack += 1),
    );
    return transaction;
  }

  private watchLosses(): void {
    const client = this.connection.getClient();
    if (client === this.watched) return;
    this.watched = client;
    client.on('connectionPoolCleared', () => (this.losses += 1));
  }

  private async beforeRetry(attempts: number, release: (() => void) | undefined): Promise<() => void> {
    if (!release) return this.retries.acquire();
    this.priority = this.retries.idle;
    await sleep(Math.random() * BACKOFF_MS * 2 ** attempts);
    return release;
  }
}

/** The driver retries after write conflicts and after lost connections alike. */
function giveUp(lastError: unknown): Error {
  return isDatabaseUnavailable(lastError) ? unavailable(lastError) : apiError('concurrentChange');
}

/** Whether the driver runs the transaction again after this error. */
function isRetried(error: unknown): boolean {
  return error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
}

/**
 * A database that restarts after a commit and before its response may have forgotten the transaction, as SecantusDB does.
 * When it runs again, its filters and unique values may meet what it has written before.
 */
function mayBeDone(cause: unknown): Error {
  return new mongo.MongoOperationTimeoutError('It is not known whether a transaction was committed.', {
    cause: cause as Error,
  });
}

/** An error that is logged and becomes 1901; without the labels of its cause, which would make the driver retry. */
function unavailable(cause: unknown): Error {
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return new mongo.MongoOperationTimeoutError(`A transaction did not end in time${reason}`, { cause: cause as Error });
}

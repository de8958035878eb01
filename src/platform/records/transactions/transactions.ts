import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { Database } from '../database';
import type { RecordChange } from './changes';
import { commitUnknown, isDatabaseUnavailable, isUnknownCommit, unavailable } from '../driver/database-errors';
import { ApiError, apiError } from '../../base/errors/api-error';
import { inContext, runEffects } from './context';
import { Deadline } from './deadline';
import { LostRace, lostRaceOf, Waited } from './lost-race';
import { Transaction, type Write } from './transaction';
import { Turn, Turns } from './turns';

/** Losses after which a write gives up with 1510 (contract §1.8). */
const MAX_ATTEMPTS = 5;

/**
 * A write of the record that its path names is tried for at least this long (ms). Instances share no turns: there it has
 * to come through against an account that adds references to the record at another instance all the time.
 */
const PATIENCE_MS = 1000;

/** The longest pause before an attempt (ms), from the second loss on. It is random. */
const MAX_PAUSE_MS = 16;

/** The caller of a write, and what they write. */
export interface Writer {
  /** The id of the outermost record of the path: while others wait for their turn to write it, so does this write. */
  readonly record?: string | undefined;
  /** The id of the account: the accounts that wait for a record take turns. */
  readonly account?: string | undefined;
  /** The revision of a record of the path at which the caller was authorized; undefined for other records. */
  revisionOf?(id: string): number | undefined;
  /** Loads the record again and authorizes the caller again. @throws ApiError 401, 404, 403 */
  authorizeAgain(): Promise<unknown>;
}

/** The one place that opens transactions and repeats a write that lost a race (contract §1.7, §1.8; docs/adr/0021). */
@Injectable()
export class Transactions {
  private readonly turns = new Turns();
  /** For a write with all its attempts, from its first command on, and before for its turn (ms). The driver alone retries for 120 s. */
  timeLimit = 10_000;

  /**
   * One listener, the log of Events: is called before the commit and inside the transaction with what it has changed;
   * what it throws refuses the write.
   */
  beforeCommit: (changes: readonly RecordChange[]) => Promise<void> = () => Promise.resolve();

  constructor(private readonly database: Database) {}

  /**
   * Runs work in one snapshot transaction: either all of its writes commit, or none. It runs again when it lost a race:
   * it reads everything again, awaits one command after another, and has no effect outside the database but those of
   * `beforeTransaction` and `afterCommit`.
   * @param writer none for a command: its work reads the records itself
   * @returns what the committed attempt returned
   * @throws ApiError concurrentChange after five lost races in a row, or when others have kept it from writing for ten
   *   seconds after its first command; MongoOperationTimeoutError (1901) when the database is out of reach for as long, or
   *   it is not known whether it committed; what `work` throws
   */
  async run<T>(work: () => Promise<T>, writer?: Writer): Promise<T> {
    const { record, account = '' } = writer ?? {};
    let lost: LostRace | undefined;
    let lostAt = -Infinity;
    const deadline = new Deadline(this.timeLimit, () => {
      // An attempt that neither ends nor loses waits for the database.
      const isContended = performance.now() - lostAt < this.timeLimit / 2 && !isDatabaseUnavailable(lost?.cause);
      // Not a LostRace, which would run the work again.
      return isContended ? apiError('concurrentChange') : unavailable(lost?.cause);
    });
    const turn = new Turn(this.turns, account, deadline);
    const revisionOf: Write['revisionOf'] = (id) => writer?.revisionOf?.(id);
    const write: Write = { results: new Map(), undos: [], deadline, turn, losses: 0, revisionOf };
    try {
      // Writes of this record have raced: this one takes its place among them.
      if (record !== undefined && this.turns.isTaken(record)) {
        await turn.take(record);
        await writer?.authorizeAgain();
      }
      for (let firstLossAt = Infinity; ;) {
        try {
          return await this.attempt(work, write);
        } catch (error) {
          if (!(error instanceof LostRace)) throw error;
          if (!(error instanceof Waited)) {
            [lost, lostAt] = [error, performance.now()];
            firstLossAt = Math.min(firstLossAt, lostAt);
            await this.lose(error, write, record, firstLossAt);
          }
        }
        if (writer) await deadline.before(writer.authorizeAgain());
      }
    } catch (error) {
      for (const undo of write.undos) await undo().catch(noop);
      throw error;
    } finally {
      turn.end();
      deadline.end();
    }
  }

  /**
   * Waits before the next attempt, for the turn of the record that was lost.
   * @param own the record that the path names
   * @throws LostRace when there is no further attempt; MongoOperationTimeoutError when the database was out of reach
   */
  private async lose(lost: LostRace, write: Write, own: string | undefined, firstLossAt: number): Promise<void> {
    const { record = own } = lost;
    write.losses += 1;
    const isPatient = record !== undefined && record === own && performance.now() - firstLossAt < PATIENCE_MS;
    const end = isDatabaseUnavailable(lost.cause) ? unavailable(lost.cause) : lost;
    if (write.losses >= MAX_ATTEMPTS && !isPatient) throw end;
    if (record !== undefined)
      await write.turn.take(record).catch(() => {
        throw end;
      });
    if (write.losses > 1) await sleep(Math.random() * MAX_PAUSE_MS);
  }

  /** @throws LostRace when the work may run again */
  private async attempt<T>(work: () => Promise<T>, write: Write): Promise<T> {
    const transaction = new Transaction(this.database.connection, write);
    const running = inContext({ transaction }, async () => {
      const result = await work();
      const changes = transaction.changes.differences();
      if (changes.length > 0) await this.beforeCommit(changes);
      return result;
    });
    try {
      const result = await write.deadline.before(running);
      await this.commit(transaction, write);
      return result;
    } catch (error) {
      await this.rollBack(transaction, running, write);
      throw lostRaceOf(error) ?? error;
    }
  }

  private async commit(transaction: Transaction, write: Write): Promise<void> {
    const session = transaction.close();
    if (!session) return runEffects(transaction.effects);
    const { connection, driver } = this.database;
    const { disconnects } = driver;
    // The effects also happen when the commit outlives the deadline.
    const committing = sendCommit(session, write, () => driver.disconnects === disconnects).then(async () => {
      write.turn.end();
      const { confirmCommit } = await this.database.quirks();
      await confirmCommit?.(connection).catch((error: unknown) => {
        throw commitUnknown(error);
      });
      runEffects(transaction.effects);
    });
    void committing.then(noop, noop).then(() => session.endSession());
    await write.deadline.before(committing).catch((error: unknown) => {
      // What may have been stored is not taken back.
      if (!lostRaceOf(error)) write.undos.splice(0);
      // Of the deadline: it is not known either.
      throw error instanceof ApiError ? commitUnknown(error) : error;
    });
  }

  private async rollBack(transaction: Transaction, running: Promise<unknown>, write: Write): Promise<void> {
    const session = transaction.close();
    if (!session) return;
    // After the deadline a command may still run. Its transaction ends after it, so nothing is written outside of it.
    const ended = running.then(noop, noop).then(() => session.endSession());
    await write.deadline.before(ended).catch(noop);
  }
}

/**
 * Sends a commit until the deadline, while it is not known whether it was received.
 * @param isConnected whether no connection was lost since: then the response is to the first commit, not to one that
 *   the driver repeated
 */
async function sendCommit(session: ClientSession, write: Write, isConnected: () => boolean): Promise<void> {
  try {
    await session.commitTransaction();
  } catch (error) {
    if (isConnected() && lostRaceOf(error)) throw error;
    if (!isUnknownCommit(error) || write.deadline.isOver) throw commitUnknown(error);
    await sendCommit(session, write, () => false);
  }
}

function noop(): void {
  // The error was reported before.
}

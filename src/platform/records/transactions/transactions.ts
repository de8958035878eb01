import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { ClientSession, Connection } from 'mongoose';
import { ApiError } from '../../base/errors/api-error';
import type { RecordChange } from './changes';
import { commitUnknown, isUnknownCommit } from '../driver/database-errors';
import { driverStateOf } from '../driver/driver-state';
import { quirksOf } from '../embedded-database/server-quirks';
import { inContext, runEffects } from './context';
import { Transaction } from './transaction';
import { Turns } from './turns';
import { LostRace, lostRaceOf } from './lost-race';
import { WriteRun } from './write-run';

/** The caller of a write, and what they write. */
export interface Writer {
  /** The id of the outermost record of the path: while others wait for their turn to write it, so does this write. */
  readonly record?: string | undefined;
  /** The id of the account: the accounts that wait for a record take turns. */
  readonly account?: string | undefined;
  /** The revision of a record of the path at which the caller was authorized; undefined for other records. */
  revisionOf?(id: string): number | undefined;
  /**
   * Loads the record again and authorizes the caller again.
   * @returns whether the record has changed since it was last loaded
   * @throws ApiError 401, 404, 403, as the caller would have got by coming second
   */
  authorizeAgain(): Promise<boolean>;
}

/** The one place that opens transactions and repeats a write that lost a race (contract §1.7, §1.8; docs/adr/0021). */
@Injectable()
export class Transactions {
  /** For the metrics. */
  readonly counts = { committed: 0, rolledBack: 0, retries: 0 };
  private readonly turns = new Turns();

  /**
   * One listener, the log of Events: is called before the commit and inside the transaction with what it has changed;
   * what it throws refuses the write.
   */
  beforeCommit: (changes: readonly RecordChange[]) => Promise<void> = () => Promise.resolve();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Runs work in one snapshot transaction: either all of its writes commit, or none. It runs again when it lost a race:
   * it reads everything again, awaits one command after another, and has no effect outside the database but those of
   * `beforeTransaction` and `afterCommit`.
   * @param writer none for a command: its work reads the records itself
   * @returns what the committed attempt returned
   * @throws ApiError concurrentChange after five lost races in a row, or when it has waited for others for too long;
   *   MongoOperationTimeoutError (1901) ten seconds after the first command, when the database is out of reach, or when
   *   it is not known whether it committed; what `work` throws
   */
  async run<T>(work: () => Promise<T>, writer?: Writer): Promise<T> {
    const write = new WriteRun(this.turns, writer?.account, (id) => writer?.revisionOf?.(id));
    try {
      if (writer?.record !== undefined && this.turns.isTaken(writer.record)) {
        await write.takeTurn(writer.record);
        await writer.authorizeAgain();
      }
      for (;;) {
        try {
          return await this.attempt(work, write, writer);
        } catch (error) {
          if (!(error instanceof LostRace) || write.isRefused) throw error;
          if (write.hasOnlyWaited) write.hasOnlyWaited = false;
          else await this.lose(error, write, writer);
          if (writer) await write.beforeDeadline(writer.authorizeAgain());
        }
      }
    } catch (error) {
      write.endTurn();
      for (const undo of write.undos) await undo().catch(noop);
      throw error;
    } finally {
      write.end();
    }
  }

  /** Waits before the next attempt. @throws ApiError concurrentChange when there is none */
  private async lose(lost: LostRace, write: WriteRun, writer?: Writer): Promise<void> {
    const record = lost.record ?? writer?.record;
    const wait = write.countLoss(lost, record !== undefined && record === writer?.record);
    this.counts.retries += 1;
    await write.takeTurn(record);
    await sleep(wait);
  }

  /** @throws LostRace when the work may run again */
  private async attempt<T>(work: () => Promise<T>, write: WriteRun, writer?: Writer): Promise<T> {
    const transaction = new Transaction(this.connection, write);
    const running = inContext({ transaction }, async () => {
      const result = await work();
      const changes = transaction.changes.differences();
      if (changes.length > 0) await this.beforeCommit(changes);
      return result;
    });
    try {
      const result = await write.beforeDeadline(running);
      await this.commit(transaction, write);
      return result;
    } catch (error) {
      await this.rollBack(transaction, running, write);
      throw lostRaceOf(error) ?? (await staleRefusal(error, transaction, writer)) ?? error;
    }
  }

  private async commit(transaction: Transaction, write: WriteRun): Promise<void> {
    const session = transaction.close();
    if (!session) return runEffects(transaction.effects);
    const driver = driverStateOf(this.connection);
    const { disconnects } = driver;
    // The effects also happen when the commit outlives the deadline.
    const committing = sendCommit(session, write, () => driver.disconnects === disconnects).then(async () => {
      write.endTurn();
      const { confirmCommit } = await quirksOf(this.connection);
      await confirmCommit?.(this.connection).catch((error: unknown) => {
        throw commitUnknown(error);
      });
      this.counts.committed += 1;
      runEffects(transaction.effects);
    });
    void committing.then(noop, noop).then(() => session.endSession());
    await write.beforeDeadline(committing).catch((error: unknown) => {
      // What may have been stored is not taken back.
      if (!lostRaceOf(error)) write.undos.splice(0);
      throw error;
    });
  }

  private async rollBack(transaction: Transaction, running: Promise<unknown>, write: WriteRun): Promise<void> {
    const session = transaction.close();
    if (!session) return;
    this.counts.rolledBack += 1;
    // After the deadline a command may still run. Its transaction ends after it, so nothing is written outside of it.
    const ended = running.then(noop, noop).then(() => session.endSession());
    await write.beforeDeadline(ended).catch(noop);
  }
}

/**
 * Sends a commit until the deadline, while it is not known whether it was received.
 * @param isConnected whether no connection was lost since: then the response is to the first commit, not to one that
 *   the driver repeated
 */
async function sendCommit(session: ClientSession, write: WriteRun, isConnected: () => boolean): Promise<void> {
  try {
    await session.commitTransaction();
  } catch (error) {
    if (isConnected() && lostRaceOf(error)) throw error;
    if (!isUnknownCommit(error) || write.isExpired) throw commitUnknown(error);
    await sendCommit(session, write, () => false);
  }
}

/** A 4xx decided on stale data, because the record has changed since it was loaded: the handler runs again. */
async function staleRefusal(error: unknown, transaction: Transaction, writer?: Writer): Promise<LostRace | undefined> {
  if (!(error instanceof ApiError) || error.status >= 500 || !transaction.hasBegun) return undefined;
  return (await writer?.authorizeAgain()) ? new LostRace(error) : undefined;
}

function noop(): void {
  // The error was reported before.
}

import type { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import mongoose, { ClientSession, Connection } from 'mongoose';
import { Changes } from './changes';
import type { WriteRun } from './write-run';

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/*
 * Mongoose passes the `session` of this store to every operation, so a Model takes part in the transaction without a
 * word. Mongoose fills the store itself only in `connection.transaction()`, which has a retry loop of its own.
 */
mongoose.set('transactionAsyncLocalStorage', true);
const { transactionAsyncLocalStorage: storage } = mongoose as unknown as {
  transactionAsyncLocalStorage: AsyncLocalStorage<Transaction | undefined>;
};

/** One attempt of a write: a snapshot transaction, which begins with its first command. */
export class Transaction {
  private clientSession: ClientSession | undefined;
  private isClosed = false;
  /** What to do once it is committed. */
  readonly effects: (() => void)[] = [];
  /** What it has written so far. */
  readonly changes = new Changes();

  constructor(
    private readonly connection: Connection,
    /** All attempts of the write. */
    readonly write: WriteRun,
  ) {}

  /** Is true once a command has been sent. */
  get hasBegun(): boolean {
    return this.clientSession !== undefined;
  }

  /**
   * The session to pass to the driver; reading it begins the transaction.
   * @throws Error after the end: a command that nobody awaits would run outside the transaction
   */
  get session(): ClientSession {
    if (this.isClosed) throw new Error('A command came after the end of its transaction. Await every command.');
    if (!this.clientSession) {
      this.write.startDeadline();
      this.clientSession = this.connection.getClient().startSession();
      this.clientSession.startTransaction(OPTIONS);
    }
    return this.clientSession;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return storage.run(this, work);
  }

  /** Refuses further commands. @returns the session to end; undefined if it has not begun, or was closed before */
  close(): ClientSession | undefined {
    if (this.isClosed) return undefined;
    this.isClosed = true;
    return this.clientSession;
  }

  /** Runs the effects. An effect that fails is logged: the write is stored. */
  runEffects(): void {
    for (const effect of this.effects) {
      try {
        effect();
      } catch (error) {
        new Logger('Database').error({ msg: 'An effect of a committed write failed', err: error });
      }
    }
  }
}

/** The transaction that the caller runs in, if any. */
export function currentTransaction(): Transaction | undefined {
  return storage.getStore();
}

/** Runs work outside the caller's transaction: it reads what is committed now. */
export function outsideTransaction<T>(work: () => T): T {
  return storage.run(undefined, work);
}

/** Runs an effect outside the database (a log line, a count) after the commit; at once without a transaction. */
export function afterCommit(effect: () => void): void {
  const transaction = storage.getStore();
  if (transaction) transaction.effects.push(effect);
  else effect();
}

/**
 * Does slow work, such as hashing, or work that counts, once for all attempts of a write. It runs outside the
 * transaction and before its first command, so it neither holds up others nor uses up the deadline.
 * @param key names the work and what its result depends on; another key is other work
 * @param undo takes back what the work did, when the write is not stored after all; not when that is unknown
 */
export async function oncePerWrite<T>(key: string, work: () => Promise<T>, undo?: () => Promise<void>): Promise<T> {
  const transaction = storage.getStore();
  if (!transaction) return work();
  const { results, undos } = transaction.write;
  if (results.has(key)) return results.get(key) as T;
  if (transaction.hasBegun) throw new Error(`"${key}" must come before the first command of the transaction.`);
  // Others don't wait for slow work.
  transaction.write.endTurn();
  const result = await outsideTransaction(work);
  results.set(key, result);
  if (undo) undos.push(undo);
  return result;
}

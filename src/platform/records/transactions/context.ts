import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { Actor, Transaction } from './transaction';

/** What code knows about the request, or the command of an operator, that it runs for. */
export interface Context {
  /** The caller, once it is known. */
  readonly account?: () => Actor | undefined;
  readonly operator?: string;
  readonly address?: string;
  readonly requestId?: string;
  /** The attempt of a write that runs now. */
  readonly transaction?: Transaction | undefined;
}

const storage = new AsyncLocalStorage<Context>();

/** The context of the caller; an empty one outside requests and commands. */
export function context(): Context {
  return storage.getStore() ?? {};
}

/** Runs work with these members of the context changed. */
export function inContext<T>(change: Context, work: () => T): T {
  return storage.run({ ...context(), ...change }, work);
}

/** The transaction that the caller runs in, if any. */
export function currentTransaction(): Transaction | undefined {
  return storage.getStore()?.transaction;
}

/** The account that acts: the caller, or the User that `actAs` named. */
export function currentActor(): Actor | undefined {
  return currentTransaction()?.actor ?? context().account?.();
}

/** Names the actor of a write whose request has no account: the User that it creates or changes. */
export function actAs(actor: Actor): void {
  const transaction = currentTransaction();
  if (transaction) transaction.actor = actor;
}

/** Runs work outside the caller's transaction: it reads what is committed now. */
export function outsideTransaction<T>(work: () => T): T {
  return inContext({ transaction: undefined }, work);
}

/**
 * Runs an effect outside the database (a log line, a count) after the commit; without a transaction, immediately. Nobody
 * waits for it, an error is only logged, and it is lost if the process ends first.
 * @param effect returns the promise of all that it starts
 */
export function afterCommit(effect: () => Promise<unknown>): void {
  const transaction = currentTransaction();
  if (transaction) transaction.effects.push(effect);
  else runEffects([effect]);
}

/** Starts the effects of a committed write. Errors are logged: the write is stored. */
export function runEffects(effects: Transaction['effects']): void {
  const report = (err: unknown): void =>
    new Logger('Database').error({ msg: 'An effect of a committed write failed', err });
  for (const effect of effects) void (async () => effect())().catch(report);
}

/**
 * Does slow work, such as hashing, or work that counts. Runs once, before the transaction starts.
 * @param key names the work and what its result depends on; another key is other work
 * @param undo takes back what the work did, when the write is not stored after all; not when that is unknown
 */
export async function beforeTransaction<T>(
  key: string,
  work: () => Promise<T>,
  undo?: () => Promise<void>,
): Promise<T> {
  const transaction = currentTransaction();
  if (!transaction) return work();
  const { results, undos } = transaction.write;
  if (results.has(key)) return results.get(key) as T;
  if (transaction.hasBegun) throw new Error(`"${key}" must come before the first command of the transaction.`);
  // Others don't wait for slow work.
  transaction.write.turn.end();
  const result = await outsideTransaction(work);
  results.set(key, result);
  if (undo) undos.push(undo);
  return result;
}

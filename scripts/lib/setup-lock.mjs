import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';
import { identityOf, isRunning } from '../../tools/embedded-database/processes.mjs';
import { CACHE } from './paths.mjs';
import { endTool, onTool, SIGNALS } from './processes.mjs';
import { say } from './steps.mjs';

const LOCK = join(CACHE, 'setup.lock');
const POLL_MS = 200;

/** @typedef {{isReady: () => boolean, prepare: () => Promise<unknown>}} Part of a checkout */

/** Prepares what is not ready, side by side. If one part fails, the others finish first. @param {Part[]} parts */
export async function prepareParts(...parts) {
  const missing = () => parts.filter((part) => !part.isReady());
  if (missing().length === 0) return;
  await alone(async () => {
    const results = await Promise.allSettled(missing().map(async (part) => part.prepare()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
}

/** Runs the work while no other command sets up this checkout: parallel installations would damage each other. */
export async function alone(work) {
  mkdirSync(CACHE, { recursive: true });
  const lock = await take();
  const release = () => lock.release();
  process.once('exit', release);
  for (const signal of SIGNALS) process.on(signal, exitOn);
  const tools = [];
  onTool((pid) => {
    tools.push(identityOf(pid));
    lock.describe({ tools });
  });
  try {
    return await work();
  } finally {
    onTool(() => undefined);
    for (const signal of SIGNALS) process.off(signal, exitOn);
    process.off('exit', release);
    release();
  }
}

/** Exits on a signal; `exit` listeners then end what was started. */
export function exitOn(signal) {
  process.exit(128 + constants.signals[signal]);
}

async function take() {
  for (let shown; ; await delay(POLL_MS)) {
    try {
      const lock = ProcessLock.take(LOCK);
      // If the last command was killed, its tools may still be writing.
      for (const tool of lock.holder.tools ?? []) if (isRunning(tool)) endTool(tool.pid);
      return lock;
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      const { pid } = error.holder;
      if (shown !== pid) say(`· Another command is setting up this checkout (process ${pid}); waiting for it …`);
      shown = pid;
    }
  }
}

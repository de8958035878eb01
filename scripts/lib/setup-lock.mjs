import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';
import { CACHE } from './paths.mjs';
import { say } from './steps.mjs';

const LOCK = join(CACHE, 'setup.lock');
const POLL_MS = 200;

/** Runs the work while no other command sets up this checkout: parallel installations would damage each other. */
export async function alone(work) {
  mkdirSync(CACHE, { recursive: true });
  const lock = await take();
  const release = () => lock.release();
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function take() {
  for (let shown; ; await delay(POLL_MS)) {
    try {
      return ProcessLock.take(LOCK);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      const { pid } = error.holder;
      if (shown !== pid) say(`· Another command is setting up this checkout (process ${pid}); waiting for it …`);
      shown = pid;
    }
  }
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';
import { identityOf, isRunning } from '../../tools/embedded-database/processes.mjs';
import { CACHE } from './paths.mjs';
import { endTool, onTool } from './processes.mjs';
import { say } from './steps.mjs';

const LOCK = join(CACHE, 'setup.lock');
const POLL_MS = 200;

/** Runs the work while no other command sets up this checkout: parallel installations would damage each other. */
export async function alone(work) {
  mkdirSync(CACHE, { recursive: true });
  const lock = await take();
  const release = () => lock.release();
  process.once('exit', release);
  const tools = [];
  onTool((pid) => {
    tools.push(identityOf(pid));
    lock.describe({ tools });
  });
  try {
    return await work();
  } finally {
    onTool(() => undefined);
    process.off('exit', release);
    release();
  }
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

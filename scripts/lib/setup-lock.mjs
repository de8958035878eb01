import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CACHE } from './paths.mjs';
import { endTool, onTool, SIGNALS } from './processes.mjs';
import { say } from './steps.mjs';

const LOCK = join(CACHE, 'setup.lock');
const POLL_MS = 200;

/**
 * Does the work while no other command sets up this checkout: two installs at once would spoil each other.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  mkdirSync(CACHE, { recursive: true });
  await take();
  process.once('exit', release);
  for (const signal of SIGNALS) process.on(signal, leave);
  onTool(note);
  try {
    return await work();
  } finally {
    onTool(() => undefined);
    for (const signal of SIGNALS) process.off(signal, leave);
    process.off('exit', release);
    release();
  }
}

/** Leaving in order ends the tools that are at work and frees the lock. */
function leave(signal) {
  process.exit(128 + constants.signals[signal]);
}

async function take() {
  let told = 0;
  while (!create()) {
    const holder = read();
    if (holder === undefined) continue;
    if (!isRunning(holder)) {
      // Killed while a tool was at work: that one may still be writing.
      if (holder.tool && isRunning(holder.tool)) endTool(holder.tool.pid);
      clear(holder);
      continue;
    }
    if (told !== holder.pid)
      say(`· Another command is setting up this checkout (process ${holder.pid}); waiting for it …`);
    told = holder.pid;
    await delay(POLL_MS);
  }
}

/** A hard link fails where a file stands already, and its content is complete at once. */
function create() {
  const draft = write({});
  try {
    linkSync(draft, LOCK);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function note(pid) {
  renameSync(write({ tool: identity(pid) }), LOCK);
}

/** @returns {string} a file that says whose the lock is */
function write(more) {
  const draft = `${LOCK}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...identity(process.pid), ...more }));
  return draft;
}

/** Ids of processes are used again; the start time tells them apart. */
function identity(pid) {
  return { pid, started: startOf(pid) };
}

/** Moves a dead holder's file away; if meanwhile another command took the lock, its file goes back. */
function clear(dead) {
  const aside = `${LOCK}.${process.pid}.stale`;
  try {
    renameSync(LOCK, aside);
    const moved = JSON.parse(readFileSync(aside, 'utf8'));
    if (moved.pid !== dead.pid || moved.started !== dead.started) linkSync(aside, LOCK);
  } catch {
    // Another command was faster; the next round sees what it left.
  } finally {
    rmSync(aside, { force: true });
  }
}

function release() {
  if (read()?.pid === process.pid) rmSync(LOCK, { force: true });
}

function read() {
  try {
    return JSON.parse(readFileSync(LOCK, 'utf8'));
  } catch (error) {
    return error.code === 'ENOENT' ? undefined : { pid: 0 };
  }
}

function isRunning(holder) {
  try {
    return holder.pid > 0 && process.kill(holder.pid, 0) && startOf(holder.pid) === holder.started;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** In clock ticks since the boot (proc(5), field 22), where there is /proc. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return null;
  }
}

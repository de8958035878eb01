import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** @typedef {{pid: number, started?: string}} Identity a process, not a later one with its id: `started` differs */

/** How long a process may take to end after SIGKILL (ms): the kernel frees its memory first. */
const KILL_GRACE_MS = 5_000;
const POLL_MS = 20;

/** @returns {Identity} without `started` if there is no such process or it has ended (a zombie) */
export function identityOf(pid) {
  return { pid, started: process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid) };
}

export function isRunning({ pid, started }) {
  return started !== undefined && identityOf(pid).started === started;
}

/** Ends a process: SIGTERM first, SIGKILL after the grace period. */
export async function endProcess(identity, graceMs) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGKILL'])) {
    if (!isRunning(identity)) return;
    signalProcess(identity.pid, signal);
    const deadline = Date.now() + (signal === 'SIGTERM' ? graceMs : KILL_GRACE_MS);
    while (isRunning(identity) && Date.now() < deadline) await delay(POLL_MS);
  }
}

/** Sends a signal. Does nothing if the process has ended. */
export function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** proc(5): the name can contain anything, also `)`, so count from the last `)`: state is field 3, start field 22. */
function startFromProc(pid) {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${readOrNothing('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${fields[19]}`;
}

function startFromPs(pid) {
  const args = ['-o', 'state=,lstart=', '-p', String(pid)];
  const { stdout } = spawnSync('ps', args, { encoding: 'utf8' });
  const [state, ...started] = stdout.trim().split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : started.join(' ');
}

function readOrNothing(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

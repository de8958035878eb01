import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process of this machine, with the words of its command line. */
export interface RunningProcess {
  readonly pid: number;
  readonly args: readonly string[];
}

/** How long a process may take to vanish after SIGKILL, in milliseconds: the kernel frees its memory first. */
const KILL_GRACE_MS = 5_000;
const POLL_MS = 20;

/**
 * When a process was started, as an opaque text that two processes of one id never share: ids are used again, also
 * across a reboot or a container's restart.
 *
 * @returns undefined when there is no such process, or none that still runs (a zombie)
 */
export function startOf(pid: number): string | undefined {
  return hasProc() ? startFromProc(pid) : startFromPs(pid);
}

/**
 * Whether that very process still runs.
 *
 * @param started what `startOf` said when the process was known to be the right one
 */
export function isRunning(pid: number, started: string | undefined): boolean {
  const now = startOf(pid);
  return now !== undefined && now === started;
}

/** All processes whose command line can be read; an empty list where the system has no way to tell. */
export function runningProcesses(): RunningProcess[] {
  return hasProc() ? processesFromProc() : processesFromPs();
}

/**
 * Ends a process: SIGTERM first, SIGKILL after the grace.
 *
 * @param pid the process
 * @param graceMs how long it may take to end by itself, in milliseconds
 * @throws Error (EPERM) when it belongs to somebody else
 */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  const started = startOf(pid);
  if (started === undefined) return;
  send(pid, 'SIGTERM');
  if (await hasEnded(pid, started, graceMs)) return;
  send(pid, 'SIGKILL');
  await hasEnded(pid, started, KILL_GRACE_MS);
}

async function hasEnded(pid: number, started: string, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(pid, started)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function hasProc(): boolean {
  return process.platform === 'linux';
}

/** proc(5): the name in parentheses may hold anything, so fields are counted from the last `)`: state is 3, start 22. */
function startFromProc(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${readOrNothing('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${fields[19] ?? ''}`;
}

function startFromPs(pid: number): string | undefined {
  const [state, ...started] = ps('-o', 'state=,lstart=', '-p', String(pid)).trim().split(/\s+/);
  return !state || state.startsWith('Z') ? undefined : started.join(' ');
}

function processesFromProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      args: (readOrNothing(`/proc/${name}/cmdline`) ?? '').split('\0').slice(0, -1),
    }));
}

/** `ps` joins the words with blanks; a path that holds one comes out in pieces, and its process is then not found. */
function processesFromPs(): RunningProcess[] {
  return ps('-A', '-ww', '-o', 'pid=,args=')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, ...args]) => ({ pid: Number(pid), args }));
}

function ps(...args: string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

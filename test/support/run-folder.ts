import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';

const PREFIX = 'roster-test-';
/** Its real path: that is how processes inside name it. */
const TEMPORARY = realpathSync(tmpdir());
/** In the folder of a run; jest's first process holds it. */
const LOCK = 'run.lock';

/**
 * A new, empty folder for a test. It is removed after the run, and with it every process that has a path in it on its
 * command line, so that not even a killed run leaves a service or a database behind.
 */
export function testFolder(): string {
  const run = process.env.TEST_RUN_DIR;
  if (run === undefined)
    throw new Error('TEST_RUN_DIR is set by test/support/global-setup.ts; run the tests with jest');
  return mkdtempSync(join(run, 'test-'));
}

/** Makes the folder of a run, for global-setup.ts. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(TEMPORARY, PREFIX));
  ProcessLock.take(join(folder, LOCK));
  return folder;
}

/** Ends every process that works in the folder and removes it; synchronous, since it also runs when jest exits. */
export function removeRunFolder(folder: string): void {
  for (const pid of processesIn(folder)) if (pid !== process.pid) kill(pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes what killed runs have left behind; the folders of other runs that go on are left alone. */
export function removeOldRunFolders(): void {
  for (const name of readdirSync(TEMPORARY).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(TEMPORARY, name);
    if (existsSync(join(folder, LOCK)) && isAbandoned(folder)) removeRunFolder(folder);
  }
}

function isAbandoned(folder: string): boolean {
  try {
    ProcessLock.take(join(folder, LOCK));
    return true;
  } catch (error) {
    if (error instanceof LockHeld) return false;
    throw error;
  }
}

/** The ids of the processes that have a path in the folder on their command line. */
export function processesIn(folder: string): number[] {
  return commandLines()
    .filter((line) => line.includes(` ${folder}/`))
    .map((line) => Number.parseInt(line, 10));
}

/** Of each process: its id and its arguments, with spaces between them. */
function commandLines(): string[] {
  if (process.platform !== 'linux') return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args=']).toString().split('\n');
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map((id) => {
    try {
      return `${id} ${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
    } catch {
      // It has ended meanwhile.
      return '';
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './errors';
import { endProcess, runningProcesses } from './processes';

/** How long the daemon may take to listen, in milliseconds; after a crash it first reads its log of writes again. */
const START_LIMIT_MS = 60_000;
/**
 * How long it may take to close its files after SIGTERM, in milliseconds; killed later, it recovers at its next start.
 */
const STOP_GRACE_MS = 10_000;
const POLL_MS = 20;

/** Where one data folder keeps the daemon's files. All paths are absolute. */
export interface DaemonFiles {
  readonly storage: string;
  readonly config: string;
  readonly log: string;
}

/** A daemon that listens. */
export interface Daemon {
  readonly pid: number;
  /** On 127.0.0.1. */
  readonly port: number;
  /** Fulfilled when the process has ended, for whatever reason, with words for it. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * The daemon's files in a data folder.
 *
 * @param dataDir the folder's real path: it is what a daemon that was left behind is known by
 */
export function daemonFiles(dataDir: string): DaemonFiles {
  return {
    storage: join(dataDir, 'secantus'),
    config: join(dataDir, 'secantusd.toml'),
    log: join(dataDir, 'secantus.log'),
  };
}

/**
 * Starts the daemon and waits until it listens on a free loopback port.
 *
 * @param binary the program file
 * @param files where it works
 * @param syncOnCommit whether a write is on disk before it is acknowledged; without, `kill -9` of the daemon loses some
 * @throws EmbeddedDatabaseError when it ends or does not listen in time, with the end of what it wrote
 */
export async function startDaemon(binary: string, files: DaemonFiles, syncOnCommit: boolean): Promise<Daemon> {
  const child = launch(binary, files, syncOnCommit);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code ?? 'unknown'}`));
  });
  const port = await listening(child, files, ended);
  const pid = child.pid as number;
  return { pid, port, ended, stop: () => endProcess(pid, STOP_GRACE_MS) };
}

/**
 * Ends every daemon that works on these files. Call it with the folder's lock in hand: then each of them was left
 * behind by a service that was killed.
 *
 * @returns the ids of the processes that were ended
 * @throws EmbeddedDatabaseError when one belongs to another person
 */
export async function endDaemonsLeftBehind(files: DaemonFiles): Promise<number[]> {
  const pids = runningProcesses()
    .filter(({ args }) => isDaemonOn(files, args))
    .map(({ pid }) => pid);
  for (const pid of pids) await endLeftBehind(pid);
  return pids;
}

async function endLeftBehind(pid: number): Promise<void> {
  try {
    await endProcess(pid, STOP_GRACE_MS);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `A database that an earlier start left behind still runs and cannot be ended (process ${pid}): ` +
        `${(error as Error).message}. End it as the person who started it.`,
    );
  }
}

/** The path of the config file is ours alone, so a daemon that somebody started by hand is left in peace. */
function isDaemonOn(files: DaemonFiles, args: readonly string[]): boolean {
  if (!basename(args[0] ?? '').startsWith('secantusd-rs')) return false;
  return args[args.indexOf('--config') + 1] === files.config;
}

/**
 * `detached` gives it a session of its own: Ctrl-C reaches every process of the terminal's group, and the service still
 * needs the database while it finishes its last requests. The output goes to a file, not through a pipe: a daemon that
 * outlives a killed service must not die half-way of a broken pipe.
 */
function launch(binary: string, files: DaemonFiles, syncOnCommit: boolean): ChildProcess {
  writeFileSync(files.config, '# Empty on purpose: keeps the configuration files of this machine out.\n');
  const log = openSync(files.log, 'w', 0o600);
  try {
    const child = spawn(binary, flags(files, syncOnCommit), {
      cwd: join(files.config, '..'),
      detached: true,
      stdio: ['ignore', log, log],
      env: environment(),
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Log files of 64 MB instead of 2 GB and a cache of 256 MB instead of 4 GB fit a developer's machine. */
function flags(files: DaemonFiles, syncOnCommit: boolean): string[] {
  return [
    ...['--config', files.config, '--storage-path', files.storage],
    ...['--host', '127.0.0.1', '--port', '0'],
    ...['--log-file-max', '64MB', '--cache-size', '256M', '--log-level', 'WARNING'],
    ...(syncOnCommit ? ['--sync-on-commit'] : []),
  ];
}

/** Without `SECANTUS_…`: `SECANTUS_DATA_NONLOGGED` for one would give up durability. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SECANTUS_')));
}

/** With port 0 the daemon takes a free port and names it in its first line: nobody can snatch it in between. */
async function listening(child: ChildProcess, files: DaemonFiles, ended: Promise<string>): Promise<number> {
  const deadline = Date.now() + START_LIMIT_MS;
  let end: string | undefined;
  void ended.then((reason) => (end = reason));
  for (;;) {
    const port = /listening on 127\.0\.0\.1:(\d+)/.exec(readFileSync(files.log, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    if (end !== undefined) throw failure(end, files);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw failure(`no connection within ${START_LIMIT_MS / 1000} s`, files);
    }
    await delay(POLL_MS);
  }
}

function failure(reason: string, files: DaemonFiles): EmbeddedDatabaseError {
  const lines = readFileSync(files.log, 'utf8').trim().split('\n').slice(-5).join('\n');
  return new EmbeddedDatabaseError(`The embedded database did not start (${reason}). From ${files.log}:\n${lines}`);
}

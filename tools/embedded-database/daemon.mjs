import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from '../../scripts/lib/steps.mjs';

/** Time limit for the start (ms). After a crash the daemon first recovers from its log. */
const START_LIMIT_MS = 60_000;
/** Time limit for closing its files after SIGTERM (ms). If it is killed then, it recovers at the next start. */
export const STOP_GRACE_MS = 10_000;
const POLL_MS = 20;
/** How often its log is searched for a failure of the storage engine (ms). */
const WATCH_MS = 1000;
/** What the storage engine logs when its disk is full. Then every operation fails until the daemon is restarted. */
const PANIC = /the process must exit and restart/;
/** The space that its log takes up from the start (bytes), so a daemon with a full disk can still log why it fails. */
const LOG_RESERVE = 2 ** 20;
/**
 * Settings of the storage engine (WiredTiger): the size of the log after which it makes a checkpoint, and the part of the
 * cache (%) that open transactions may change. The build of an index that does not fit is tried again without end.
 */
const STORAGE = 'checkpoint=(log_size=128MB),eviction_dirty_trigger=80,eviction_updates_trigger=80';
/** Free space that it needs to work (bytes): two of its log files. */
const ROOM = 128 * 2 ** 20;

/** The daemon's files in a data folder. */
export function daemonFiles(dataDir) {
  return {
    storage: join(dataDir, 'database'),
    config: join(dataDir, 'database.toml'),
    log: join(dataDir, 'database.log'),
    password: join(dataDir, 'database-password'),
  };
}

/**
 * @param {{syncOnCommit: boolean, auth: boolean, port: number}} options `port` 0 for any free port
 * @returns {{pid: number, ended: Promise<string>, listening: Promise<number>}} the reason of its end, and its port
 */
export function spawnDaemon(binary, files, options) {
  const child = launch(binary, files, options);
  const panic = watchForPanic(child, files);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(panic() ?? signal ?? `exit code ${code}`));
  });
  return { pid: child.pid ?? 0, ended, listening: listening(child, files, ended) };
}

export function hasRoom(files) {
  const { bavail, bsize } = statfsSync(dirname(files.storage));
  return bavail * bsize >= ROOM;
}

/**
 * In a session of its own: Ctrl-C reaches every process of the terminal's group. A broken pipe would kill a daemon that
 * outlives this process, so its output goes to a file.
 */
function launch(binary, files, options) {
  writeFileSync(files.config, '# Empty on purpose: replaces the configuration files of this machine.\n');
  const log = openSync(files.log, 'w', 0o600);
  try {
    // The daemon writes over these lines, because the position stays at the start.
    writeSync(log, Buffer.alloc(LOG_RESERVE, '\n'), 0, LOG_RESERVE, 0);
    const child = spawn(binary, flags(files, options), {
      cwd: dirname(files.config),
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

/** Sizes that fit a developer's machine: 64 MB instead of 2 GB per log file, 1 GB instead of 4 GB of cache. */
function flags(files, { syncOnCommit, auth, port }) {
  return [
    ...['--config', files.config, '--storage-path', files.storage],
    ...['--host', '127.0.0.1', '--port', String(port)],
    ...['--oplog-max-entries', '100', '--log-file-max', '64MB', '--cache-size', '1G', '--log-level', 'WARNING'],
    ...(syncOnCommit ? ['--sync-on-commit'] : []),
    ...(auth ? ['--auth'] : []),
  ];
}

/** Kills a daemon whose storage engine has failed. Returns a function that tells whether it did, in words. */
function watchForPanic(child, files) {
  let reason;
  const watch = setInterval(() => {
    // Its folder may be deleted before its end is noticed.
    if (!existsSync(files.log) || !PANIC.test(readFileSync(files.log, 'utf8'))) return;
    reason = 'its storage engine failed';
    child.kill('SIGKILL');
  }, WATCH_MS).unref();
  child.once('exit', () => clearInterval(watch));
  return () => reason;
}

/** Removes `SECANTUS_…`: `SECANTUS_DATA_NONLOGGED`, for example, would switch off durability. */
function environment() {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('SECANTUS_'));
  return { ...Object.fromEntries(others), SECANTUS_WT_CONFIG_EXTRA: STORAGE };
}

/** The daemon writes the port to its log once it listens. */
async function listening(child, files, ended) {
  let end;
  void ended.then((reason) => (end = reason));
  for (const deadline = Date.now() + START_LIMIT_MS; ; await delay(POLL_MS)) {
    const port = /listening on 127\.0\.0\.1:(\d+)/.exec(readFileSync(files.log, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    if (end !== undefined) throw startError(end, files);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw startError(`no connection within ${START_LIMIT_MS / 1000} s`, files);
    }
  }
}

function startError(reason, files) {
  const lines = readFileSync(files.log, 'utf8').trim().split('\n').slice(-5).join('\n');
  return new SetupError(`The embedded database did not start (${reason}). From ${files.log}:\n${lines}`);
}

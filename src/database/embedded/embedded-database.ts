import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedBinary } from './binary';
import { type Daemon, daemonFiles, endDaemonsLeftBehind, startDaemon } from './daemon';
import { DataDirInUse } from './errors';
import { LockHeld, ProcessLock } from './process-lock';

/** What the embedded database needs to know. */
export interface EmbeddedDatabaseOptions {
  /** The folder of `DATA_DIR`; made when it is missing. Holds `secantus/`, `secantus.log`, `secantusd.toml`, `lock`. */
  readonly dataDir: string;
  /** Takes lines for the person who looks at the service's log. */
  readonly log: (line: string) => void;
  /**
   * Called once when the database ends although nobody stopped it, with the reason. Nothing restarts it: the service
   * should say so and exit with a failure.
   */
  readonly onLost?: (reason: string) => void;
  /** Whether an acknowledged write survives `kill -9` of the database. Default true; tests do without, for speed. */
  readonly syncOnCommit?: boolean;
}

/** A running embedded database. */
export interface EmbeddedDatabase {
  /** Its address for mongoose, with the database's name; transactions work on it. */
  readonly uri: string;
  /** The database's process. */
  readonly pid: number;
  /** Stops it (within 15 s at worst) and frees the data folder. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the database that the service brings along when `MONGODB_URI` is not set: a process of its own, reachable on
 * loopback only, that keeps its data in the data folder. It comes without a login, so any user of this machine can
 * reach it: it is there to try, develop and test.
 *
 * One service at a time works on a data folder. What a killed service has left behind (a lock, a running database) is
 * cleared away first.
 *
 * @throws DataDirInUse when a live service works on the folder
 * @throws EmbeddedDatabaseError when the database is not installed or does not start
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const binary = embeddedBinary();
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const lock = takeDataDir(dataDir);
  try {
    const files = daemonFiles(dataDir);
    for (const pid of await endDaemonsLeftBehind(files)) {
      options.log(`Ended the database that an earlier start had left behind (process ${pid}).`);
    }
    const daemon = await startDaemon(binary, files, options.syncOnCommit ?? true);
    lock.describe({ port: daemon.port, daemonPid: daemon.pid });
    return watch(daemon, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function takeDataDir(dataDir: string): ProcessLock {
  try {
    return ProcessLock.take(join(dataDir, 'lock'));
  } catch (error) {
    if (error instanceof LockHeld) throw new DataDirInUse(dataDir, error.holder.pid);
    throw error;
  }
}

function watch(daemon: Daemon, lock: ProcessLock, options: EmbeddedDatabaseOptions): EmbeddedDatabase {
  let stopped: Promise<void> | undefined;
  const abandon = (): void => endAtExit(daemon, lock);
  process.once('exit', abandon);
  void daemon.ended.then((reason) => {
    if (!stopped) options.onLost?.(reason);
  });
  const stop = async (): Promise<void> => {
    await daemon.stop();
    process.off('exit', abandon);
    lock.release();
  };
  return {
    // The node calls itself a member of a replica set, which transactions need; a direct connection skips discovery.
    uri: `mongodb://127.0.0.1:${daemon.port}/roster?directConnection=true`,
    pid: daemon.pid,
    stop: () => (stopped ??= stop()),
  };
}

/** The service ends without `stop` (a failed start, an uncaught error): nothing may wait any more at this point. */
function endAtExit(daemon: Daemon, lock: ProcessLock): void {
  try {
    process.kill(daemon.pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
  lock.release();
}

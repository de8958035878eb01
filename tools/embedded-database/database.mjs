import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from '../../scripts/lib/steps.mjs';
import { daemonFiles, hasRoom, spawnDaemon, STOP_GRACE_MS } from './daemon.mjs';
import { openDataFolder } from './data-folder.mjs';
import { installedBinary } from './install.mjs';
import { createLogin, readPassword, uriOf } from './login.mjs';
import { LockHeld, ProcessLock } from './process-lock.mjs';
import { endProcess, identityOf, isRunning, signalProcess } from './processes.mjs';

/** It is restarted at most this often within this time (ms). */
const MAX_RESTARTS = 3;
const WITHIN_MS = 60_000;
/** How often it looks for room on a full disk (ms). */
const ROOM_POLL_MS = 1000;

/** Another process is using the data folder. */
export class DataDirInUse extends SetupError {
  constructor(dataDir, { pid, port, service }) {
    super(
      `Another Roster is running on the data folder ${dataDir} (process ${pid}). ` +
        `Stop it first (kill ${pid}), or choose another folder with DATA_DIR. ` +
        'If you cannot log in, run `npm run admin -- reset-password <username>` with the same DATA_DIR.',
    );
    /** @type {string | undefined} the address of its database, if a service runs on it */
    this.serviceUri = port && service ? uriOf(port, readPassword(daemonFiles(dataDir).password)) : undefined;
  }
}

/** The development database: a process that listens on loopback only. One process at a time uses a data folder. */
export class EmbeddedDatabase {
  #options;
  #files;
  #lock;
  #daemon = { pid: 0, ended: Promise.resolve('') };
  #port = 0;
  #stopping;

  /**
   * `onLost` is called when it keeps dying and is not restarted. Tests switch `syncOnCommit` and `auth` off, for speed.
   *
   * @param {{dataDir: string, log: (line: string) => void, onLost?: (reason: string) => void, syncOnCommit?: boolean, auth?: boolean}} options
   * @throws {SetupError} if it does not start; a DataDirInUse if a running process uses the folder
   */
  static async start(options) {
    const dataDir = openDataFolder(options.dataDir, options.log);
    const database = new EmbeddedDatabase({ ...options, dataDir }, takeDataDir(dataDir));
    try {
      await database.#endLeftBehind();
      await database.#launch();
    } catch (error) {
      await database.stop();
      throw error;
    }
    database.#lock.describe({ port: database.#port });
    void database.#keepRunning();
    return database;
  }

  constructor(options, lock) {
    this.#options = { syncOnCommit: true, auth: true, onLost: options.log, ...options };
    this.#files = daemonFiles(options.dataDir);
    this.#lock = lock;
    process.once('exit', this.#abandon);
  }

  /** Its address for mongoose, with login and name of the database. Stays the same when the database is restarted. */
  get uri() {
    return uriOf(this.#port, readPassword(this.#files.password));
  }

  get pid() {
    return this.#daemon.pid;
  }

  /** Remembers which service runs on it: if this process is killed, the next start ends that service. */
  serves(pid) {
    this.#lock.describe({ service: identityOf(pid) });
  }

  /** Stops it (within 15 s) and releases the data folder. May be called more than once. */
  stop() {
    return (this.#stopping ??= this.#stop());
  }

  async #stop() {
    await endProcess(identityOf(this.#daemon.pid), STOP_GRACE_MS);
    process.off('exit', this.#abandon);
    this.#lock.release();
  }

  /** For a process that exits without `stop`. It cannot wait; the next start takes the lock over, and waits. */
  #abandon = () => {
    if (isRunning(identityOf(this.#daemon.pid))) signalProcess(this.#daemon.pid, 'SIGTERM');
  };

  async #endLeftBehind() {
    // No other command may use that database any more.
    this.#lock.describe({ port: undefined });
    for (const name of ['service', 'database']) {
      const left = this.#lock.holder[name];
      if (!left || !isRunning(left)) continue;
      await endProcess(left, STOP_GRACE_MS);
      this.#options.log(`Stopped the ${name} that a killed start left running (process ${left.pid}).`);
    }
    this.#lock.describe({ service: undefined });
  }

  async #launch() {
    const { auth } = this.#options;
    if (auth && readPassword(this.#files.password) === undefined) {
      await createLogin(await this.#spawn({ auth: false, port: 0 }), this.#files.password);
      await endProcess(identityOf(this.#daemon.pid), STOP_GRACE_MS);
    }
    this.#port = await this.#spawn({ auth, port: this.#port });
  }

  /** Returns its port, once it listens. */
  #spawn({ auth, port }) {
    const { syncOnCommit } = this.#options;
    this.#daemon = spawnDaemon(installedBinary(), this.#files, { syncOnCommit, auth, port });
    this.#lock.describe({ database: identityOf(this.#daemon.pid) });
    return this.#daemon.listening;
  }

  async #keepRunning() {
    const deaths = [];
    for (let reason = await this.#daemon.ended; !this.#stopping;) {
      deaths.push(Date.now());
      if (deaths.length > MAX_RESTARTS && deaths.at(-1) - deaths.at(-1 - MAX_RESTARTS) < WITHIN_MS) {
        return this.#options.onLost(`The embedded database keeps dying. Its log: ${this.#files.log}`);
      }
      this.#options.log(`The embedded database died (${reason}); restarting it.`);
      await this.#waitForRoom();
      if (this.#stopping) return;
      reason = await this.#launch().then(
        () => this.#daemon.ended,
        () => 'it did not start',
      );
    }
  }

  async #waitForRoom() {
    if (hasRoom(this.#files)) return;
    this.#options.log(`The disk of ${this.#options.dataDir} is full. The database starts again when 128 MiB are free.`);
    while (!hasRoom(this.#files) && !this.#stopping) await delay(ROOM_POLL_MS, undefined, { ref: false });
  }
}

function takeDataDir(dataDir) {
  try {
    return ProcessLock.take(join(dataDir, 'lock'));
  } catch (error) {
    throw error instanceof LockHeld ? new DataDirInUse(dataDir, error.holder) : error;
  }
}

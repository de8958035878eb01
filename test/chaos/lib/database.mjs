import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daemonFiles, spawnDaemon } from '../../../tools/embedded-database/daemon.mjs';
import { installedBinary } from '../../../tools/embedded-database/install.mjs';
import { uriOf } from '../../../tools/embedded-database/login.mjs';
import { identityOf, isRunning, signalProcess } from '../../../tools/embedded-database/processes.mjs';
import { atEnd } from './cleanup.mjs';
import { until } from './processes.mjs';

/** @returns {string} a folder that is deleted when the scenario ends */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'roster-chaos-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * An embedded database that a scenario kills, halts and starts again as often as it likes, always at the same address.
 * What it has acknowledged is on disk. It asks for no login.
 */
export class Database {
  #files;
  #port = 0;
  #daemon;

  static async start(dataDir = temporaryFolder()) {
    const database = new Database(dataDir);
    const killAtExit = () => database.#signal('SIGKILL');
    process.once('exit', killAtExit);
    atEnd(async () => {
      await database.kill();
      process.off('exit', killAtExit);
    });
    await database.restart();
    return database;
  }

  constructor(dataDir) {
    this.#files = daemonFiles(dataDir);
  }

  /** Its address for mongoose. */
  get uri() {
    return uriOf(this.#port);
  }

  /** Starts it after `kill`, and waits until it listens. */
  async restart() {
    this.#daemon = spawnDaemon(installedBinary(), this.#files, { syncOnCommit: true, auth: false, port: this.#port });
    this.#port = await this.#daemon.listening;
  }

  /** `kill -9`. */
  async kill() {
    if (!this.#daemon) return;
    const identity = identityOf(this.#daemon.pid);
    this.#signal('SIGKILL');
    await until(() => !isRunning(identity), 'the database ends');
    this.#daemon = undefined;
  }

  /** Makes it stop responding; connections stay open. */
  halt() {
    this.#signal('SIGSTOP');
  }

  /** Makes it respond again. */
  goOn() {
    this.#signal('SIGCONT');
  }

  #signal(signal) {
    if (this.#daemon) signalProcess(this.#daemon.pid, signal);
  }
}

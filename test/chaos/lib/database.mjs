import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daemonFiles, spawnDaemon } from '../../../tools/embedded-database/daemon.mjs';
import { installedBinary } from '../../../tools/embedded-database/install.mjs';
import { uriOf } from '../../../tools/embedded-database/login.mjs';
import { endProcess, identityOf, signalProcess } from '../../../tools/embedded-database/processes.mjs';
import { atEnd } from './cleanup.mjs';

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
  #pid = 0;

  static async start(dataDir = temporaryFolder()) {
    const database = new Database(dataDir);
    process.once('exit', () => database.signal('SIGKILL'));
    atEnd(() => database.kill());
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
    const options = { syncOnCommit: true, auth: false, port: this.#port };
    const { pid, listening } = spawnDaemon(installedBinary(), this.#files, options);
    this.#pid = pid;
    this.#port = await listening;
  }

  /** `kill -9`, and waits until it has ended. */
  async kill() {
    const identity = identityOf(this.#pid);
    this.signal('SIGKILL');
    this.#pid = 0;
    await endProcess(identity, 0);
  }

  /** @param {NodeJS.Signals} name SIGSTOP, after which it does not respond, and SIGCONT, which ends that */
  signal(name) {
    if (this.#pid > 0) signalProcess(this.#pid, name);
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daemonFiles, spawnDaemon } from '../../../tools/embedded-database/daemon.mjs';
import { EmbeddedDatabase } from '../../../tools/embedded-database/database.mjs';
import { installedBinary } from '../../../tools/embedded-database/install.mjs';
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
 * What it has acknowledged is on disk.
 */
export class Database {
  #files;
  #port;
  #daemon;

  static async start(dataDir = temporaryFolder()) {
    // Gives the data folder a login.
    const first = await EmbeddedDatabase.start({ dataDir, log: () => undefined });
    const { uri } = first;
    await first.stop();
    const database = new Database(dataDir, uri);
    const killAtExit = () => database.#signal('SIGKILL');
    process.once('exit', killAtExit);
    atEnd(async () => {
      await database.kill();
      process.off('exit', killAtExit);
    });
    await database.restart();
    return database;
  }

  constructor(dataDir, uri) {
    this.#files = daemonFiles(dataDir);
    this.#port = Number(new URL(uri).port);
    /** Its address for mongoose. */
    this.uri = uri;
  }

  /** Starts it after `kill` or `stop`, and waits until it listens. */
  async restart() {
    this.#daemon = spawnDaemon(installedBinary(), this.#files, { syncOnCommit: true, auth: true, port: this.#port });
    await this.#daemon.listening;
  }

  /** `kill -9`. */
  kill() {
    return this.#end('SIGKILL');
  }

  stop() {
    return this.#end('SIGTERM');
  }

  /** Makes it stop responding; connections stay open. */
  halt() {
    this.#signal('SIGSTOP');
  }

  /** Makes it respond again. */
  goOn() {
    this.#signal('SIGCONT');
  }

  async #end(signal) {
    if (!this.#daemon) return;
    const identity = identityOf(this.#daemon.pid);
    this.#signal(signal);
    await until(() => !isRunning(identity), 'the database ends');
    this.#daemon = undefined;
  }

  #signal(signal) {
    if (this.#daemon) signalProcess(this.#daemon.pid, signal);
  }
}

import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identityOf, isRunning } from './processes.mjs';

/** @typedef {import('./processes.mjs').Identity & {id: string} & Record<string, any>} Holder what the file has, as JSON */

export class LockHeld extends Error {
  constructor(holder) {
    super(`held by process ${holder.pid}`);
    this.holder = holder;
  }
}

/** A lock file that is released when its holder dies. Synchronous, so it can be released while the process exits. */
export class ProcessLock {
  /** @throws {LockHeld} if a running process holds it, including this one. Temporary files start with its name */
  static take(path) {
    const lock = new ProcessLock(path);
    while (!lock.#create()) {
      const other = read(path);
      if (other === undefined) continue;
      if (isRunning(other)) throw new LockHeld(other);
      if (lock.#replace(other)) break;
    }
    return lock;
  }

  constructor(path) {
    this.path = path;
    /** @type {Holder} */
    this.holder = { id: randomUUID(), ...identityOf(process.pid) };
  }

  /** Adds to the content of the lock file. */
  describe(more) {
    this.holder = { ...this.holder, ...more };
    renameSync(this.#draft(), this.path);
  }

  /** Releases the lock; does nothing if it is already released. */
  release() {
    if (read(this.path)?.id === this.holder.id) rmSync(this.path, { force: true });
  }

  /** A hard link fails if the file exists, and its content is complete: there is no half-written lock. */
  #create() {
    const draft = this.#draft();
    try {
      linkSync(draft, this.path);
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      return false;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** Takes over from a dead holder, with what it described. Another lock, named after it, lets only one process do so. */
  #replace(dead) {
    const right = ProcessLock.take(`${this.path}.${dead.id}`);
    try {
      const holder = read(this.path);
      if (holder?.id !== dead.id) return false;
      this.describe({ ...holder, ...this.holder });
      return true;
    } finally {
      right.release();
    }
  }

  #draft() {
    const draft = `${this.path}.${this.holder.id}.draft`;
    writeFileSync(draft, JSON.stringify(this.holder), { mode: 0o600 });
    return draft;
  }
}

/** @returns {Holder | undefined} an unreadable file (a machine's crash can leave an empty one) has a dead holder */
function read(path) {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof holder.id === 'string' && holder.pid > 0) return holder;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { id: 'unreadable', pid: -1 };
}

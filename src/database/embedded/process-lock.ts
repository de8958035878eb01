import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isRunning, startOf } from './processes';

/** What a lock file says of its holder, as JSON. */
export interface LockHolder {
  /** New with every taking, so that two locks of one process differ. */
  readonly id: string;
  readonly pid: number;
  /** When that process was started (`startOf`). */
  readonly started: string | undefined;
  /** The port of the database on 127.0.0.1, once it listens. */
  readonly port?: number;
  /** The process of the database, once it listens. */
  readonly daemonPid?: number;
}

/** A live process holds the lock. */
export class LockHeld extends Error {
  constructor(readonly holder: LockHolder) {
    super(`held by process ${holder.pid}`);
  }
}

/**
 * A lock that is a file and dies with its holder: whoever finds the file of a process that is gone may take it.
 *
 * Everything is synchronous: this runs before the service serves anybody, and when it has ended.
 */
export class ProcessLock {
  private constructor(
    private readonly path: string,
    private holder: LockHolder,
  ) {}

  /**
   * Takes the lock for this process.
   *
   * @param path the lock file; files beside it that begin with its name are used in passing
   * @throws LockHeld when a live process has it, this one included
   */
  static take(path: string): ProcessLock {
    const lock = new ProcessLock(path, { id: randomUUID(), pid: process.pid, started: startOf(process.pid) });
    while (!lock.create()) {
      const other = read(path);
      if (other === undefined) continue;
      if (isRunning(other.pid, other.started)) throw new LockHeld(other);
      if (lock.replace(other)) break;
    }
    return lock;
  }

  /** Adds to what the file says. */
  describe(more: Pick<LockHolder, 'port' | 'daemonPid'>): void {
    this.holder = { ...this.holder, ...more };
    renameSync(this.draft(), this.path);
  }

  /** Gives the lock back; harmless when that was done already. */
  release(): void {
    if (read(this.path)?.id === this.holder.id) rmSync(this.path, { force: true });
  }

  /** A hard link fails where a file stands already, and what it makes is complete at once: no half-written lock. */
  private create(): boolean {
    const draft = this.draft();
    try {
      linkSync(draft, this.path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /**
   * Puts this lock in the place of a dead holder's. Of several that try, one may: the right to do so is itself a lock,
   * named after the dead holder. Whoever comes to it late finds another holder in place and leaves it alone.
   */
  private replace(dead: LockHolder): boolean {
    const right = ProcessLock.take(`${this.path}.${dead.id}`);
    try {
      if (read(this.path)?.id !== dead.id) return false;
      renameSync(this.draft(), this.path);
      return true;
    } finally {
      right.release();
    }
  }

  private draft(): string {
    const draft = `${this.path}.${this.holder.id}.draft`;
    writeFileSync(draft, JSON.stringify(this.holder), { mode: 0o600 });
    return draft;
  }
}

/** An unreadable file (a crash of the machine can leave an empty one) is a dead holder's. */
function read(path: string): LockHolder | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): LockHolder {
  try {
    const holder = JSON.parse(text) as LockHolder;
    if (typeof holder.id === 'string' && Number.isInteger(holder.pid) && holder.pid > 0) return holder;
  } catch {
    // falls through to the dead holder
  }
  return { id: 'unreadable', pid: -1, started: undefined };
}

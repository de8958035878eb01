import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from './cleanup.mjs';

/** Where cgroup v1 and v2 have their memory controller, and the file that takes the limit. */
const CONTROLLERS = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max' },
];

/** A memory limit such as a container has, for a program and what it starts. Needs root. */
export class SmallMemory {
  #folder;

  /** @param {number} mebibytes @returns {SmallMemory | undefined} undefined if this machine cannot set a limit */
  static create(mebibytes) {
    for (const { folder, limit } of CONTROLLERS) {
      const group = join(folder, `roster-chaos-${process.pid}`);
      try {
        mkdirSync(group);
        atEnd(() => rmdirSync(group));
        writeFileSync(join(group, limit), String(mebibytes * 2 ** 20));
        return new SmallMemory(group);
      } catch {
        // Not mounted, or not for us to use.
      }
    }
    return undefined;
  }

  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * @param {string[]} args of Node.js
   * @returns {[args: string[], command: string]} a command that runs Node.js within the limit
   */
  command(args) {
    const processes = join(this.#folder, 'cgroup.procs');
    return [['-c', 'echo $$ > "$0" && exec "$@"', processes, process.execPath, ...args], 'sh'];
  }
}

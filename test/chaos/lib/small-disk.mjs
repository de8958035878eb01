import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from './cleanup.mjs';
import { temporaryFolder } from './database.mjs';

/** A small file system in memory. Needs root. */
export class SmallDisk {
  /** @param {number} mebibytes its size */
  constructor(mebibytes) {
    /** Where it is mounted until the scenario ends. */
    this.folder = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0700`, 'roster-chaos', this.folder]);
    atEnd(() => execFileSync('umount', [this.folder]));
  }

  get #filler() {
    return join(this.folder, 'filler');
  }

  /** Fills it to the last byte: dd writes until there is no room. */
  fill() {
    spawnSync('dd', ['if=/dev/zero', `of=${this.#filler}`, 'bs=64k']);
  }

  /** Makes room again. */
  empty() {
    rmSync(this.#filler, { force: true });
  }
}

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from './cleanup.mjs';
import { temporaryFolder } from './database.mjs';

const BLOCK = 64 * 1024;

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

  /** Fills it to the last byte. */
  fill() {
    const file = openSync(this.#filler, 'a');
    try {
      for (let size = BLOCK; size >= 1;) {
        try {
          if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Makes room again. */
  empty() {
    rmSync(this.#filler, { force: true });
  }
}

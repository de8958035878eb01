import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './paths.mjs';

/**
 * Hashes contents, not times, which change whenever you switch branches.
 *
 * @param {string[]} inputs files and folders of the checkout; tests in them do not count
 */
export function fingerprintOf(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((input) => filesOf(join(ROOT, input)))) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @returns {boolean} whether the stamp has this fingerprint */
export function isStamped(stamp, fingerprint) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => !name.endsWith('.spec.ts'))
    .flatMap((name) => filesOf(join(path, name)));
}

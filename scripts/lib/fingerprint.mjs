import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './paths.mjs';
import { step } from './steps.mjs';

/**
 * Hashes contents, not times, which change whenever you switch branches.
 *
 * @param {string[]} inputs files and folders of the checkout; tests in them do not count
 */
export function fingerprintOf(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap((input) => filesOf(join(ROOT, input))))
    for (const part of [`${relative(ROOT, path)}\0`, readFileSync(path), '\0']) hash.update(part);
  return hash.digest('hex');
}

/** Whether the stamp of some work says that it was done with this: a fingerprint, or versions. */
export function isStamped(stamp, text) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === text;
}

/** Does work and then writes its stamp, so interrupted work is repeated. */
export async function stamped(stamp, text, work) {
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, text);
}

/** A part of a checkout that is installed again when `text`, its versions, changes. */
export function stampedPart(title, stamp, text, install) {
  return {
    isReady: () => isStamped(stamp, text),
    prepare: () => step(title, () => stamped(stamp, text, install)),
  };
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .filter((name) => !name.endsWith('.spec.ts'))
    .flatMap((name) => filesOf(join(path, name)));
}

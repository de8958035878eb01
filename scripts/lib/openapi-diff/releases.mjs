import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.mjs';

const FOLDER = join(ROOT, 'docs', 'releases');

/** @returns {string} the path of the document of the newest release */
export function lastRelease() {
  const names = readdirSync(FOLDER).filter((name) => /^openapi-\d+\.\d+\.\d+\.json$/.test(name));
  names.sort(new Intl.Collator('en', { numeric: true }).compare);
  return join(FOLDER, names.at(-1));
}

/** @param {string} path */
export function readDocument(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

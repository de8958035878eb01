import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as util from 'node:util';
import { ROOT } from './paths.mjs';

/**
 * A variable of the environment or else of the file `.env`, as the service is going to take it (src/config): one that
 * is there but empty hides the file's and counts as not set, and tests know no file. The file's variables do not get
 * into `process.env`: all that is started from here would inherit its secrets.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function setting(name) {
  const fallback = process.env.NODE_ENV === 'test' ? undefined : fileVariables()[name];
  return (process.env[name] ?? fallback) || undefined;
}

/** What is wrong with the file is for the service to say. Node.js before 20.12 has no parser: it does without. */
function fileVariables() {
  try {
    return util.parseEnv(readFileSync(join(ROOT, '.env'), 'utf8'));
  } catch {
    return {};
  }
}

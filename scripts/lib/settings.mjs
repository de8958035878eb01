import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as util from 'node:util';
import { ROOT } from './paths.mjs';

/**
 * Reads a variable from the environment or the file `.env` in the same way as the service (src/start/load-settings.ts): an
 * empty variable of the environment hides the one in the file and counts as not set, and tests ignore the file. The
 * file's variables are not added to `process.env`, because every program started from here would inherit its secrets.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function setting(name) {
  const fallback = process.env.NODE_ENV === 'test' ? undefined : fileVariables()[name];
  return (process.env[name] ?? fallback) || undefined;
}

/** The service reports errors in the file. Node.js before 20.12 cannot parse it, so the file is ignored there. */
function fileVariables() {
  try {
    return util.parseEnv(readFileSync(join(ROOT, '.env'), 'utf8'));
  } catch {
    return {};
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readSettings, Settings } from '../../base/settings/settings';
import { Variables } from '../../base/settings/variables';
import { readFirstAdmin } from './first-admin-settings';

/**
 * Reads the settings from the environment and, except in tests, from the file `.env` in the working directory, over
 * which the environment takes precedence. `process.env` stays as it is: child processes would inherit the file's
 * secrets.
 */
export function loadSettings(): Settings {
  const hasFile = process.env.NODE_ENV !== 'test' && existsSync('.env');
  const file = hasFile ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return settingsFrom({ ...file, ...process.env });
}

/** The settings that an environment describes, frozen. @throws StartError that lists every problem */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const variables = new Variables(env);
  const settings: Settings = { ...readSettings(variables), admin: readFirstAdmin(variables) };
  variables.throwProblems();
  return Object.freeze(settings);
}

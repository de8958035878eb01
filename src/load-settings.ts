import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readSettings } from './config/read-settings';
import { Settings } from './config/settings';
import { Variables } from './config/variables';
import { readFirstAdmin } from './users/first-admin-settings';

/**
 * Reads the settings from the environment and, except in tests, from the file `.env` in the working directory. The
 * environment takes precedence. The file's variables are not put into `process.env`, where child processes would inherit
 * its secrets.
 * @throws SettingsError that lists every problem
 */
export function loadSettings(): Settings {
  const file = process.env.NODE_ENV === 'test' ? {} : readEnvFile();
  return settingsFrom({ ...file, ...process.env });
}

/**
 * The settings that an environment describes, frozen.
 * @throws SettingsError that lists every problem
 */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const variables = new Variables(env);
  const settings: Settings = { ...readSettings(variables), admin: readFirstAdmin(variables) };
  variables.throwProblems();
  return Object.freeze(settings);
}

function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

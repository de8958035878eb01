import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { StartError } from '../../base/errors/start-error';
import { Settings } from '../../base/settings/settings';
import { Password } from '../../http/fields/password-fields';
import { validateFields } from '../../http/fields/validate-fields';

type Name = keyof Settings;

/** The longest value that is printed (characters). */
const MAX_PRINTED = 100;

/**
 * Reads the settings from the environment and, except in tests, from the file `.env` in the working directory, over
 * which the environment takes precedence. `process.env` does not change: child processes would inherit the file's
 * secrets.
 */
export function loadSettings(): Settings {
  const hasFile = process.env.NODE_ENV !== 'test' && existsSync('.env');
  const file = hasFile ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return settingsFrom({ ...file, ...process.env });
}

/**
 * The settings that an environment describes, frozen. An empty variable counts as not set: Compose files and CI systems
 * pass unset ones like that.
 * @throws StartError that lists every problem
 */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const names = Object.keys(new Settings()) as Name[];
  const values = names.map((name) => [name, env[variableOf(name)]] as const).filter(([, value]) => value);
  const given: Partial<Record<Name, string>> = Object.fromEntries(values);
  const settings = plainToInstance(Settings, { ...defaultsWith(given), ...given });
  const errors = validateSync(settings).map(({ property, constraints }) => {
    const name = property as Name;
    return problemOf(name, given[name], Object.values(constraints!)[0]!, String(settings[name] ?? ''));
  });
  const { fieldErrors } = validateFields(FirstAdmin, { password: given.adminPassword });
  const ofAdmin = fieldErrors.map(({ detail }) => problemOf('adminPassword', given.adminPassword, detail));
  const problems = [...errors, ...ofAdmin];
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return Object.freeze(settings);
}

/** The environment variable of a setting: `MONGODB_URI` for `mongodbUri`. */
export function variableOf(name: Name): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

/** The rules for Users apply to the first Admin, too. */
class FirstAdmin {
  @Password({ optional: true }) password?: string;
}

/** What other settings change. Somebody has to choose who sees and creates what, where anybody can have an account. */
function defaultsWith(given: Partial<Record<Name, string>>): Partial<Settings> {
  return {
    ...(given.nodeEnv === 'production' && { host: '0.0.0.0', shutdownDelayMs: 5000 }),
    ...(given.registration === 'open' && { userDirectory: undefined }),
    ...(given.oidcCreateUsers === 'on' && { organizationCreation: undefined }),
  };
}

/** Names a variable, its value or default unless it can contain a secret, and what it must be. */
function problemOf(name: Name, given: string | undefined, advice: string, fallback = ''): string {
  const printed = JSON.stringify(given && given.length > MAX_PRINTED ? `${given.slice(0, MAX_PRINTED)}…` : given);
  const isSecret = /Secret|Password/.test(name) || given?.includes('@');
  const value = isSecret ? `${Buffer.byteLength(given ?? '')} bytes long (not shown)` : printed;
  const unset = fallback ? `not set (default: ${fallback})` : 'not set';
  return `${variableOf(name)} is ${given === undefined ? unset : value}; it ${advice}`;
}

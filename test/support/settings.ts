import { Settings } from '../../src/platform/base/settings/settings';
import { settingsFrom, variableOf } from '../../src/platform/operations/start/load-settings';

/** Settings for code that does not reach a database: what must be set is set, and `env` on top of it. */
export function settingsWith(env: NodeJS.ProcessEnv = {}): Settings {
  return settingsFrom({ NODE_ENV: 'test', MONGODB_URI: 'mongodb://127.0.0.1:9/unused', ...env });
}

/** The settings of an environment, and the names of all variables that the service reads. */
export function readSettings(env: NodeJS.ProcessEnv): { settings: Settings; names: string[] } {
  const settings = settingsFrom(env);
  return { settings, names: (Object.keys(settings) as (keyof Settings)[]).map(variableOf) };
}

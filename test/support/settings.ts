import { Settings } from '../../src/platform/base/settings/settings';
import { settingsFrom } from '../../src/platform/operations/start/load-settings';

/** Settings for code that does not reach a database: what must be set is set, and `env` on top of it. */
export function settingsWith(env: NodeJS.ProcessEnv = {}): Settings {
  return settingsFrom({ NODE_ENV: 'test', MONGODB_URI: 'mongodb://127.0.0.1:9/unused', ...env });
}

/** The settings of an environment, and the names of all variables that the service reads. */
export function readSettings(env: NodeJS.ProcessEnv): { settings: Settings; names: string[] } {
  const names = new Set<string>();
  const get = (all: NodeJS.ProcessEnv, name: string): unknown => (names.add(name), all[name]);
  const settings = settingsFrom(new Proxy<NodeJS.ProcessEnv>(env, { get }));
  return { settings, names: [...names] };
}

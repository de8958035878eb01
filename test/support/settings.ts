import { Settings } from '../../src/config/settings';
import { settingsFrom } from '../../src/start/load-settings';

/** Settings for code that does not reach a database: what must be set is set, and `env` on top of it. */
export function settingsWith(env: NodeJS.ProcessEnv = {}): Settings {
  return settingsFrom({ NODE_ENV: 'test', MONGODB_URI: 'mongodb://127.0.0.1:9/unused', ...env });
}

import { ConfigModule } from '@nestjs/config';
import { readSettings } from './read-settings';
import { Settings } from './settings';
import { SettingsError } from './settings-error';

/**
 * Reads the settings from the environment and, except in tests, from the file `.env` in the working directory; a
 * variable of the environment wins. The file's variables are not put into `process.env`: child processes would inherit
 * its secrets.
 * @throws SettingsError that names every problem at once
 */
export async function loadSettings(): Promise<Settings> {
  let settings: Settings | undefined;
  await ConfigModule.forRoot({
    envFilePath: '.env',
    ignoreEnvFile: process.env.NODE_ENV === 'test',
    validate: (env) => {
      settings = readSettings(env);
      return {};
    },
  });
  settings ??= readSettings(process.env);
  if (settings.mongodbUri !== undefined) return settings;
  throw new SettingsError(['MONGODB_URI is not set. Set it, or run `npm start`, which brings its own database.']);
}

import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from './config/settings';
import { DatabaseStart } from './database/database-start';
import { FirstAdmin } from './users/first-admin';

/**
 * Tells the person who started the service what to do next, once it can be used. Production only logs.
 * @param given the settings as they were read: without `mongodbUri` where the embedded database was started
 */
export async function announce(app: NestFastifyApplication, given: Settings): Promise<void> {
  const ready = await app.get(DatabaseStart).ready;
  if (!ready || given.environment === 'production') return;
  const url = `${await app.getUrl()}${given.basePath}`;
  const admin = app.get(FirstAdmin).generated;
  process.stdout.write(`${lines(url, given, admin).join('\n')}\n`);
}

function lines(url: string, settings: Settings, admin: FirstAdmin['generated']): string[] {
  const username = admin?.username ?? settings.admin?.username ?? 'admin';
  const login = JSON.stringify({ username, password: admin?.password ?? '<password>' });
  return [
    '',
    `Roster is ready at ${url}`,
    ...(settings.docs ? [`  Swagger UI  ${url}/docs`] : []),
    ...(settings.mongodbUri === undefined ? [`  data        ${settings.dataDir}`] : []),
    ...(admin ? [`  first Admin username ${admin.username}, password ${admin.password} (shown this once)`] : []),
    '',
    'Try this next, to log in:',
    `  curl -s ${url}/sessions -H 'Content-Type: application/json' -d '${login}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ];
}

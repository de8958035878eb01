import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from './config/settings';
import { DatabaseStart } from './database/database-start';
import { FirstAdmin } from './users/first-admin';

/** Tells the person who started the service what to do next, once it can be used. Production only logs. */
export async function announce(app: NestFastifyApplication): Promise<void> {
  const settings = app.get(Settings);
  const ready = await app.get(DatabaseStart).ready;
  if (!ready || settings.environment === 'production') return;
  const url = `${await app.getUrl()}${settings.basePath}`;
  const admin = app.get(FirstAdmin).generated;
  process.stdout.write(`${lines(url, settings, admin).join('\n')}\n`);
}

function lines(url: string, settings: Settings, admin: FirstAdmin['generated']): string[] {
  const login = JSON.stringify({ username: admin?.username ?? 'admin', password: admin?.password ?? '<password>' });
  return [
    '',
    `Roster is ready at ${url}`,
    ...(settings.docs ? [`  Swagger UI  ${url}/docs`] : []),
    `  data        ${settings.dataDir}`,
    ...(admin ? [`  first Admin username ${admin.username}, password ${admin.password} (shown this once)`] : []),
    '',
    'Try this next, to log in:',
    `  curl -s ${url}/sessions -H 'Content-Type: application/json' -d '${login}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ];
}

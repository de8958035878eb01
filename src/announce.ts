import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from './config/settings';
import { DatabaseStart } from './database/database-start';
import { FirstAdmin } from './users/first-admin';

/** Tells the person who started the service what to do next, once it is ready. In production it only logs. */
export async function announce(app: NestFastifyApplication, settings: Settings): Promise<void> {
  const ready = await app.get(DatabaseStart).ready;
  if (!ready || settings.environment === 'production') return;
  const url = `${await app.getUrl()}${settings.basePath}`;
  const admin = app.get(FirstAdmin).generated;
  process.stdout.write(`${lines(url, settings, admin).join('\n')}\n`);
}

function lines(url: string, settings: Settings, admin: FirstAdmin['generated']): string[] {
  const username = admin?.username ?? settings.admin?.username ?? 'admin';
  const login = JSON.stringify({ username, password: admin?.password ?? '<password>' });
  return [
    '',
    `Roster is ready at ${url}`,
    ...(settings.docs ? [`  Swagger UI  ${url}/docs`] : []),
    ...(admin ? [`  first Admin username ${admin.username}, password ${admin.password} (shown only once)`] : []),
    '',
    'To log in, try:',
    `  curl -s ${url}/sessions -H 'Content-Type: application/json' -d '${login}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ];
}

import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from './config/settings';
import { DatabaseStart } from './database/database-start';
import { FirstAdmin } from './users/first-admin';

/** Prints what to do next, once the service is ready. In production, log-start.ts logs a line instead. */
export async function announce(app: NestFastifyApplication, settings: Settings): Promise<void> {
  const ready = await app.get(DatabaseStart).ready;
  if (!ready || settings.environment === 'production') return;
  const url = `${await app.getUrl()}${settings.basePath}`;
  const admin = app.get(FirstAdmin).generated;
  const username = admin?.username ?? settings.admin?.username ?? 'admin';
  const login = JSON.stringify({ username, password: admin?.password ?? '<password>' });
  const lines = [
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
  process.stdout.write(`${lines.join('\n')}\n`);
}

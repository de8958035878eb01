import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../config/settings';
import { DatabaseStart } from '../database/database-start';
import { Admins } from '../users/admins';
import { FirstAdmin } from '../users/first-admin';

/** Prints what to do next, once the service is ready. In production, log-start.ts logs a line instead. */
export async function announce(app: NestFastifyApplication, settings: Settings): Promise<void> {
  const ready = await app.get(DatabaseStart).ready;
  if (!ready || settings.environment === 'production') return;
  const url = `${await app.getUrl()}${settings.basePath}`;
  const { generated } = app.get(FirstAdmin);
  const username = generated?.username ?? (await app.get(Admins).firstUsername());
  const lines = [
    '',
    `Roster is ready at ${url}`,
    ...(settings.docs ? [`  Swagger UI  ${url}/docs`] : []),
    ...(generated
      ? [`  Admin       ${username}, password ${generated.password} (shown only this once)`]
      : [
          `  Admin       ${username} (lost the password? With the same settings: npm run admin -- reset-password ${username})`,
        ]),
    '',
    generated ? 'To log in, run:' : `To log in, set PASSWORD to the password of ${username} and run:`,
    `  ${loginCommand(url, username, generated?.password ?? `'"$PASSWORD"'`)}`,
    '',
    'Ctrl-C stops it.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** @param password itself, or shell code that puts it there */
function loginCommand(url: string, username: string, password: string): string {
  const body = `{"username":"${username}","password":"${password}"}`;
  return `curl -s ${url}/sessions -H 'Content-Type: application/json' -d '${body}'`;
}

import { Logger } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongodbHosts } from '../../base/settings/formats';
import { Settings } from '../../base/settings/settings';
import { version } from '../../base/settings/version';
import { DatabaseStart } from '../../records/start/database-start';
import { ManagementServer } from '../health/management-server';

/** The username of an Admin, and the password if this start has generated it. */
export interface AdminLogin {
  readonly username: string;
  readonly password?: string;
}

/**
 * Logs a line in production, once the service listens; otherwise prints what to do next, once it is ready.
 * @param adminLogin is called once the service is ready
 */
export async function announce(
  app: NestFastifyApplication,
  settings: Settings,
  adminLogin: () => Promise<AdminLogin>,
): Promise<void> {
  const production = settings.environment === 'production';
  if (production) logStart(app, settings);
  const ready = await app.get(DatabaseStart).ready;
  if (ready && !production) await printStart(app, settings, await adminLogin());
}

/** Facts about an instance for its operator. No value contains a secret. */
function logStart(app: NestFastifyApplication, settings: Settings): void {
  const { basePath, docs, mongodbUri, rateLimitStore } = settings;
  const address = `${app.getHttpAdapter().getInstance().listeningOrigin}${basePath}`;
  // The store may be a URL with a username, a password and options.
  const store = URL.parse(rateLimitStore);
  new Logger('Start').log({
    msg: `Roster ${version} listens at ${address}`,
    version,
    address,
    metrics: app.get(ManagementServer).url,
    database: mongodbHosts(mongodbUri),
    rateLimitStore: store ? `${store.protocol}//${store.host}${store.pathname}` : rateLimitStore,
    docs: docs ? `${address}/docs` : 'off',
  });
}

async function printStart(
  app: NestFastifyApplication,
  { basePath, docs }: Settings,
  { username, password: generated }: AdminLogin,
): Promise<void> {
  const url = `${await app.getUrl()}${basePath}`;
  const password = generated
    ? `password ${generated} (shown only this once)`
    : `(lost the password? With the same settings: npm run admin -- reset-password ${username})`;
  // Itself, or shell code that puts it there.
  const body = `{"username":"${username}","password":"${generated ?? `'"$PASSWORD"'`}"}`;
  const lines = [
    '',
    `Roster is ready at ${url}`,
    ...(docs ? [`  Swagger UI  ${url}/docs`] : []),
    `  Admin       ${username}${generated ? ',' : ''} ${password}`,
    '',
    generated ? 'To log in, run:' : `To log in, set PASSWORD to the password of ${username} and run:`,
    `  curl -s ${url}/sessions -H 'Content-Type: application/json' -d '${body}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

import { Logger } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
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
 * Logs a line in production, once the service listens; otherwise prints what a person needs, once it is ready.
 * @param adminLogin is called once the service is ready
 */
export async function announce(
  app: NestFastifyApplication,
  { basePath, catalog, docs, nodeEnv }: Settings,
  adminLogin: () => Promise<AdminLogin>,
): Promise<void> {
  const production = nodeEnv === 'production';
  const address = `${app.getHttpAdapter().getInstance().listeningOrigin}${basePath}`;
  if (production) {
    const metrics = app.get(ManagementServer).url;
    new Logger('Start').log({ msg: `Roster ${version} listens at ${address}`, version, address, metrics });
  }
  if (!(await app.get(DatabaseStart).ready) || production) return;
  const { username, password } = await adminLogin();
  const login = password
    ? `${username}, password ${password} (shown only this once)`
    : `${username} (lost the password? With the same settings: npm run admin -- reset-password ${username})`;
  const pages = [catalog && `  Catalog     ${address}/catalog/\n`, docs && `  Swagger UI  ${address}/docs\n`];
  const lines = [...pages, `  Admin       ${login}\n`].filter(Boolean).join('');
  process.stdout.write(`\nRoster is ready at ${address}\n${lines}\nCtrl-C stops it.\n\n`);
}

import { Logger } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongodbHosts } from '../config/formats';
import { Settings } from '../config/settings';
import { version } from '../config/version';
import { ManagementServer } from '../health/management-server';
import { serverUrl } from '../http/server-url';

/** Logs what an operator wants to know of an instance, in one line, once it listens. No value contains a secret. */
export function logStart(app: NestFastifyApplication, settings: Settings): void {
  const { environment, basePath, docs, host, mongodbUri, rateLimitStore } = settings;
  if (environment !== 'production') return;
  const address = `${serverUrl(app.getHttpServer(), host)}${basePath}`;
  new Logger('Start').log({
    msg: `Roster ${version} listens at ${address}`,
    version,
    address,
    metrics: app.get(ManagementServer).url,
    database: mongodbHosts(mongodbUri),
    rateLimitStore: withoutLogin(rateLimitStore),
    docs: docs ? `${address}/docs` : 'off',
  });
}

/** The kind of the store, or the URL of a server without its username, password and options. */
function withoutLogin(store: string): string {
  const { protocol, host, pathname } = URL.parse(store) ?? {};
  return protocol === undefined ? store : `${protocol}//${host}${pathname}`;
}

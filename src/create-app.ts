import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ConnectOptions } from 'mongoose';
import { API_CATALOG_PATH } from './registry/apis/api-catalog-linkset';
import { AppModule } from './app.module';
import { Settings } from './platform/base/settings/settings';
import { serveCatalog } from './registry/catalog/serve-catalog';
import { serveHome } from './registry/home';
import { createAdapter } from './platform/http/edge/adapter';
import type { AuthorizedRequest } from './platform/http/access/request-access';
import { type Context, inContext } from './platform/records/transactions/context';
import { addRequestHooks } from './platform/http/edge/request-hooks';
import { addressLimit, requireAvailable } from './platform/operations/limits/guards';
import { AppLogger } from './platform/operations/logging/app-logger';
import { serveDocs } from './platform/http/openapi/serve-docs';

/** Assembles the service, for a command with other options of the driver. It does not listen yet. */
export async function createApp(settings: Settings, driver?: ConnectOptions): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, driver),
    createAdapter(settings),
    APP_OPTIONS,
  );
  return configureApp(app, settings);
}

/** The options with which Nest creates the application. */
export const APP_OPTIONS: NestApplicationOptions = {
  bodyParser: false,
  // A start that fails says why and nothing else (main.ts): the lines before it would hide that.
  bufferLogs: true,
  autoFlushLogs: false,
  abortOnError: false,
};

/** Adds what is not in a module: main.ts and the tests, which create the application with `@nestjs/testing`, run it. */
export function configureApp(app: NestFastifyApplication, settings: Settings): NestFastifyApplication {
  app.useLogger(app.get(AppLogger));
  app.flushLogs();
  app.setGlobalPrefix(settings.basePath, { exclude: [API_CATALOG_PATH] });
  const fastify = app.getHttpAdapter().getInstance();
  addRequestHooks(fastify, settings, addressLimit(app, settings), requireAvailable(app, settings));
  fastify.addHook('onRequest', (request, _reply, done) => inContext(contextOf(request), done));
  serveHome(app, settings);
  if (settings.docs) serveDocs(app, settings);
  if (settings.catalog) serveCatalog(app, settings);
  return app;
}

/** What logs, Events and reads know of a request. */
function contextOf(request: AuthorizedRequest): Context {
  const { id: requestId } = request;
  // `ip` is missing once the socket is closed.
  return { account: () => request.access?.account, address: request.ip, requestId };
}

import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply, FastifyServerOptions } from 'fastify';
import { Server } from 'node:http';
import { Settings } from '../../config/settings';
import { apiError } from '../../errors/api-error';
import { sendError } from '../../errors/send-error';
import { watchRequests } from '../request-end';
import { respond } from '../response';
import type { RouteSettings } from '../response-plan';
import { handleClientError } from './client-error';
import { noStorePaths } from './no-store.decorator';
import { requestIds } from './request-id';
import { routableTarget } from './request-target';
import { commonHeaders } from './response-headers';
import { createHttpServer } from './server';
import { trustOf } from './trust';
import { unusableBecause } from './unusable-request';

/**
 * Sends what a handler returned as its `@Returns` declares. An interceptor would be the usual place, but running one
 * takes a tenth of the CPU time of a GET.
 */
export class RecordAdapter extends FastifyAdapter {
  constructor(
    options: FastifyServerOptions<Server>,
    private readonly basePath: string,
  ) {
    super(options);
  }

  override reply(...[response, result, status]: Parameters<FastifyAdapter['reply']>): FastifyReply {
    // Node's own response is passed for middleware, and there is none.
    const reply = response as FastifyReply;
    const { response: plan } = reply.routeOptions.config as RouteSettings;
    return super.reply(reply, plan ? respond(plan, result as object, reply, this.basePath) : result, status);
  }
}

/**
 * Creates Nest's adapter for Fastify: it sets the headers of all responses (contract §2) and rejects requests that
 * cannot be used at all. Pass it to `NestFactory.create` with `{ bodyParser: false }`, then call `addRequestHooks`.
 */
export function createAdapter(settings: Settings): FastifyAdapter {
  const adapter = new RecordAdapter(fastifyOptions(settings), settings.basePath);
  const fastify = adapter.getInstance();
  watchRequests(fastify);
  const setHeaders = commonHeaders(settings, noStorePaths(fastify));
  fastify.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    // Loggers that only see Node's request (pino-http) use the same id.
    (request.raw as { id?: string }).id = request.id;
    const unusable = unusableBecause(request);
    if (unusable === undefined) return done();
    sendError(reply.header('connection', 'close'), apiError(unusable));
  });
  return adapter;
}

/** Fastify's options; contract §1 is the reason for each. */
export function fastifyOptions({ trustProxy, maxConnections }: Settings): FastifyServerOptions<Server> {
  const trust = trustOf(trustProxy);
  return {
    serverFactory: (handler) => createHttpServer(handler, maxConnections),
    clientErrorHandler: handleClientError,
    rewriteUrl: (request) => routableTarget(request.url!),
    requestIdHeader: false,
    genReqId: requestIds(trust),
    trustProxy: trust,
    // An id of any length reaches the guards.
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 64 * 1024 },
    exposeHeadRoutes: true,
    // Fastify's own 503 has another body. Requests that arrive during shutdown are served, with `Connection: close`.
    return503OnClosing: false,
  };
}

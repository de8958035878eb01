import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyReply, FastifyServerOptions } from 'fastify';
import { Server } from 'node:http';
import { Settings } from '../../config/settings';
import { respond } from '../response';
import type { RouteSettings } from '../response-plan';
import { handleClientError } from './client-error';
import { requestIds } from './request-id';
import { routableTarget } from './request-target';
import { createHttpServer } from './server';
import { trustOf } from './trust';

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

/** Creates Nest's adapter for Fastify. Pass it to `NestFactory.create` with `{ bodyParser: false }`. */
export function createAdapter(settings: Settings): FastifyAdapter {
  return new RecordAdapter(fastifyOptions(settings), settings.basePath);
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

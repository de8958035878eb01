import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Server } from 'node:http';
import { Settings } from '../../config/settings';
import { toApiError } from '../../errors/to-api-error';
import { answerHeaders } from './answer-headers';
import { answerClientError } from './client-error';
import { sendFailure } from './paths';
import { literalTarget } from './request-target';
import { createHttpServer } from './server';

/** Longer than any target that the server lets through: text of any length in an id's place reaches the guards. */
const MAX_PARAM_LENGTH = 64 * 1024;

/**
 * Makes Nest's adapter with the Fastify and the HTTP server of this service. The first thing that happens to a request
 * in it is that its answer gets the headers of every answer (contract §2); Nest's middleware comes after.
 *
 * Pass it to `NestFactory.create(AppModule, adapter, { bodyParser: false })`, then call `installWire`.
 */
export function createAdapter(settings: Settings): FastifyAdapter {
  const adapter = new FastifyAdapter(fastifyOptions(settings));
  const dress = answerHeaders(settings);
  adapter.getInstance().addHook('onRequest', (request, reply, done) => {
    dress(request, reply);
    // Loggers that see Node's request only (pino-http) take the id from here, so that it is one.
    (request.raw as { id?: string }).id = request.id;
    done();
  });
  return adapter;
}

/** The options of Fastify, each of which differs from its default for a reason in contract §1. */
export function fastifyOptions(settings: Settings): FastifyServerOptions<Server> {
  const dress = answerHeaders(settings);
  return {
    serverFactory: (handler) => createHttpServer(handler, settings.bodyLimit),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, settings.bodyLimit),
    rewriteUrl: (request) => literalTarget(request.url!),
    // The client's id is not taken over: the log is found by an id that is unique.
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(settings.trustProxy),
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: MAX_PARAM_LENGTH },
    exposeHeadRoutes: true,
    // Fastify's own 503 while closing is not the fail envelope; such requests are served, with `Connection: close`.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      dress(request, reply);
      sendFailure(reply, toApiError(error));
    },
  };
}

/** Fastify takes a number of proxies in front, but its types do not. */
function trustedProxies(setting: Settings['trustProxy']): FastifyServerOptions['trustProxy'] {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

import { compile } from '@fastify/proxy-addr';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyServerOptions } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Server } from 'node:http';
import { Settings } from '../../base/settings/settings';
import { errorsPath } from '../responses/error-body';
import { handleClientError, rejectTarget } from './client-error';
import { routableTarget } from './request-target';
import { createHttpServer } from './server';

/** Creates Nest's adapter for Fastify; create the application with `{ bodyParser: false }`. */
export function createAdapter(settings: Settings): FastifyAdapter {
  return new FastifyAdapter(fastifyOptions(settings));
}

/** Fastify's options; contract §1 is the reason for each. */
function fastifyOptions(settings: Settings): FastifyServerOptions<Server> {
  const trust = trustOf(settings.trustProxy);
  return {
    serverFactory: (handler) => createHttpServer(handler),
    clientErrorHandler: (error, socket) => handleClientError(error, socket, errorsPath(settings)),
    rewriteUrl: (request) => routableTarget(request.url!),
    frameworkErrors: (_error, request, reply) => rejectTarget(request, reply),
    genReqId: ({ headers, socket }) => {
      const id = headers['x-request-id'];
      const isAccepted = trust && typeof id === 'string' && SAFE_ID.test(id) && trust(socket.remoteAddress ?? '', 0);
      return isAccepted ? id : randomUUID();
    },
    trustProxy: trust,
    // An id of any length reaches the guards.
    routerOptions: { maxParamLength: 64 * 1024 },
    // Fastify's own 503 has another body. Requests that arrive during shutdown are served, with `Connection: close`.
    return503OnClosing: false,
  };
}

/** A request id that a trusted proxy may choose (contract §9.3). */
const SAFE_ID = /^[\w.-]{1,64}$/;

/** Checks whether a sender is a trusted proxy. `hop` counts from 0, the sender at the other end of the connection. */
type Trust = (address: string, hop: number) => boolean;

/** The proxies of `TRUST_PROXY`, in the form that Fastify makes of them too. */
function trustOf(trustProxy: Settings['trustProxy']): Trust | false {
  if (typeof trustProxy === 'boolean') return trustProxy && (() => true);
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  return compile(trustProxy.split(','));
}

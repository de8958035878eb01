import { FastifyInstance, FastifyRequest } from 'fastify';

/** How a request ended. */
export interface RequestEnd {
  readonly request: FastifyRequest;
  /** The status of the response, or 499 if the client disconnected before there was one. */
  readonly status: number;
  /** The code of the error in the response, if it is one. */
  readonly code: number | undefined;
  /** The address of the client. */
  readonly address: string;
  /** From the end of the request's headers to the end of the response. */
  readonly milliseconds: number;
}

/** Who wants to know of all requests of an application. */
interface Listeners {
  readonly start: ((request: FastifyRequest) => void)[];
  readonly end: ((end: RequestEnd) => void)[];
}

const listeners = new WeakMap<FastifyInstance, Listeners>();

/** Calls `end` at the end of every request; Fastify's `onResponse` hook is not called if the client disconnects. */
export function onRequestEnd(
  fastify: FastifyInstance,
  end: (end: RequestEnd) => void,
  start?: (request: FastifyRequest) => void,
): void {
  const all = listeners.get(fastify) ?? watchRequests(fastify);
  all.end.push(end);
  if (start) all.start.push(start);
}

/** Call it before other hooks are added: they may end a request, and those after them are not called. */
export function watchRequests(fastify: FastifyInstance): Listeners {
  const { start, end }: Listeners = { start: [], end: [] };
  fastify.addHook('onRequest', (request, reply, done) => {
    const started = performance.now();
    // It is missing once the connection is closed.
    const address = request.ip;
    for (const listener of start) listener(request);
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      const milliseconds = performance.now() - started;
      for (const listener of end) listener({ request, status, code: reply.errorCode, address, milliseconds });
    });
    done();
  });
  listeners.set(fastify, { start, end });
  return { start, end };
}

import { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';

/** The end of a request. */
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

/** Functions to call for every request of an application. */
interface Listeners {
  readonly start: ((request: FastifyRequest) => void)[];
  readonly end: ((end: RequestEnd) => void)[];
}

const listeners = new WeakMap<FastifyInstance, Listeners>();

function listenersOf(fastify: FastifyInstance): Listeners {
  const all = listeners.get(fastify) ?? { start: [], end: [] };
  listeners.set(fastify, all);
  return all;
}

/** Calls `end` at the end of every request; Fastify's `onResponse` hook is not called if the client disconnects. */
export function onRequestEnd(
  fastify: FastifyInstance,
  end: (end: RequestEnd) => void,
  start?: (request: FastifyRequest) => void,
): void {
  const all = listenersOf(fastify);
  all.end.push(end);
  if (start) all.start.push(start);
}

/** Returns the hook that calls the listeners. It has to be the first: those after one that ends a request do not run. */
export function reportEnd(fastify: FastifyInstance): onRequestHookHandler {
  const { start, end } = listenersOf(fastify);
  return (request, reply, done) => {
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
  };
}

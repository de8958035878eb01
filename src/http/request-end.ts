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

interface Listener {
  readonly start?: (request: FastifyRequest) => void;
  readonly end: (end: RequestEnd) => void;
}

const listeners = new WeakMap<FastifyInstance, Listener[]>();

/** Calls `end` at the end of every request; Fastify's `onResponse` hook is not called if the client disconnects. */
export function onRequestEnd(fastify: FastifyInstance, end: Listener['end'], start?: Listener['start']): void {
  listenersOf(fastify).push({ start, end });
}

/** Returns the hook that calls the listeners. It must be the first: hooks after one that responds do not run. */
export function reportEnd(fastify: FastifyInstance): onRequestHookHandler {
  const all = listenersOf(fastify);
  return (request, reply, done) => {
    const started = performance.now();
    // It is missing once the connection is closed.
    const address = request.ip;
    for (const { start } of all) start?.(request);
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      const milliseconds = performance.now() - started;
      for (const { end } of all) end({ request, status, code: reply.errorCode, address, milliseconds });
    });
    done();
  };
}

function listenersOf(fastify: FastifyInstance): Listener[] {
  const all = listeners.get(fastify) ?? [];
  listeners.set(fastify, all);
  return all;
}

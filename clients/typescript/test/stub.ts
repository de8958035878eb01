import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach } from 'node:test';
import { RosterError } from '@roster/client';

export interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Stands for a service: a server that remembers the requests and responds as a test says. */
export class Stub {
  baseUrl = '';
  received: Received[] = [];
  respond: (request: Received) => Reply | Promise<Reply> = () => ({});

  /** Starts it before the tests of a file, and stops it after them. */
  constructor() {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url: path, headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      this.received.push(received);
      const reply = await this.respond(received);
      const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
      response.writeHead(reply.status ?? 200, reply.headers).end(body);
    });
    before(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
    });
    beforeEach(() => (this.received = []));
    after(() => server.close());
  }

  /** The requests as `POST /tokens`. */
  get requests(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path?.replace('/base', '')}`);
  }
}

export function success(data: unknown): Reply {
  return { body: { status: 'success', data } };
}

export function failure(status: number, code: number, message: unknown = 'No.'): Reply {
  return { status, body: { status: 'fail', code, message } };
}

export async function errorOf(call: Promise<unknown>): Promise<RosterError> {
  const error = await call.then(
    () => assert.fail('There is no error.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RosterError);
  return error;
}

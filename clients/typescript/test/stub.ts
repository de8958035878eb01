import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach } from 'node:test';

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
  respond: (request: Received) => Reply = () => ({});

  /** Starts it before the tests of a file, and stops it after them. */
  constructor() {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url: path, headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      this.received.push(received);
      const reply = this.respond(received);
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

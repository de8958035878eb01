import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Between a program and the service: remembers the requests. */
export interface Proxy {
  address: string;
  /** The requests as `GET /apis`, without the query. */
  sent: string[];
  /** Called before a request is passed on. If it returns a response, the service does not get the request. */
  before: (request: string) => Promise<Response | void>;
  stop: () => void;
}

/** Starts a proxy on a free loopback port. */
export async function startProxy(service: string): Promise<Proxy> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const line = `${method} ${url.replace(/\?.*/, '')}`;
    proxy.sent.push(line);
    const passOn = () => fetch(service + url, { method, headers: sent(headers), body: body.length > 0 ? body : null });
    const result = (await proxy.before(line)) ?? (await passOn());
    const kept = ['content-type', 'etag', 'link', 'retry-after'].map(
      (name) => [name, result.headers.get(name)] as const,
    );
    for (const [name, value] of kept) if (value !== null) response.setHeader(name, value);
    response.writeHead(result.status).end(Buffer.from(await result.arrayBuffer()));
  });
  // As the service has it: a program that is slow for some seconds must not send a request while its connection is closed.
  server.keepAliveTimeout = 65_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: Proxy = { address, sent: [], before: async () => undefined, stop: () => server.close() };
  return proxy;
}

function sent(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = ['authorization', 'content-type', 'if-match'] as const;
  return Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
}

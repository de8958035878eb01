import { createHttpServer } from './server';

test('the HTTP server waits 10 s for a request, 30 s for bytes, and longer than load balancers in between', () => {
  const server = createHttpServer(() => undefined);
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 10_000, timeout: 30_000 });
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

import { createHttpServer } from './server';

describe('the HTTP server', () => {
  const server = createHttpServer(() => undefined);

  it('waits 10 s for a request and 30 s for bytes, and keeps idle connections longer than load balancers do', () => {
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 10_000, timeout: 30_000 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

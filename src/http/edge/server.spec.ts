import { createHttpServer } from './server';

describe('the HTTP server', () => {
  const server = createHttpServer(() => undefined, 100);

  it('waits for a request for 10 s, for bytes for 30 s, and keeps a connection longer than load balancers do', () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
    expect({ headersTimeout, requestTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      timeout: 30_000,
    });
    expect(keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('drops no header silently', () => expect(server.maxHeadersCount).toBe(0));
});

import { createHttpServer } from './server';

describe('the HTTP server', () => {
  const server = createHttpServer(() => undefined);

  it('waits 10 s for a request and 30 s for bytes, and keeps idle connections longer than load balancers do', () => {
    const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
    expect({ headersTimeout, requestTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      timeout: 30_000,
    });
    expect(keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('drops no headers silently', () => expect(server.maxHeadersCount).toBe(0));
});

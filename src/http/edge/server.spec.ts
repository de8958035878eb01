import { once } from 'node:events';
import { AddressInfo, connect } from 'node:net';
import { createHttpServer } from './server';

describe('the HTTP server', () => {
  const server = createHttpServer(() => undefined, 2);

  it('waits 10 s for a request and 30 s for bytes, and keeps idle connections longer than load balancers do', () => {
    expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 10_000, timeout: 30_000 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('closes connections beyond the limit at once', async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const kept = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (let accepted = 0; accepted < kept.length; accepted += 1) await once(server, 'connection');
    const refused = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(refused, 'close');
    expect(kept.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
    for (const socket of kept) socket.destroy();
    server.close();
  });
});

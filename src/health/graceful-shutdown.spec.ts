import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SlowRequest, startHealth } from '../../test/support/health';
import { Readiness } from './readiness';

describe('the graceful shutdown', () => {
  let app: NestFastifyApplication;
  let port: number;
  const sockets: Socket[] = [];

  afterEach(() => {
    jest.useRealTimers();
    sockets.splice(0).forEach((socket) => socket.destroy());
  });

  function open(path: string): { socket: Socket; received: () => string; closed: Promise<unknown> } {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return { socket, received: () => received, closed: once(socket, 'close') };
  }

  /** Starts the service with a request under way, and a grace so long that waiting for its end fails the test. */
  async function startBusy(SHUTDOWN_GRACE_MS = '600000'): Promise<ReturnType<typeof open>> {
    app = await startHealth({ SHUTDOWN_GRACE_MS });
    await app.listen(0, '127.0.0.1');
    port = Number(new URL(await app.getUrl()).port);
    const busy = open('/slow/1');
    await app.get(SlowRequest).arrived;
    return busy;
  }

  /** Begins to close, and waits until no connection is accepted any more. */
  async function beginClose(): Promise<{ closing: Promise<void> }> {
    const closing = app.close();
    while (app.getHttpServer().listening) await setImmediate();
    return { closing };
  }

  it('closes idle connections, accepts no other, is not ready, and waits for a running request', async () => {
    const busy = await startBusy();
    const idle = open('/health/live');
    await once(idle.socket, 'data');
    const { closing } = await beginClose();
    await idle.closed;
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
    expect(await app.get(Readiness).unmet()).toEqual(['shutdown']);
    expect(busy.received()).toBe('');
    app.get(SlowRequest).end();
    await closing;
    await busy.closed;
    expect(busy.received()).toMatch(/200 OK[\s\S]*done$/);
  });

  it('closes what is left after the grace', async () => {
    const busy = await startBusy('1000');
    const closeAll = jest.spyOn(app.getHttpServer(), 'closeAllConnections');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { closing } = await beginClose();
    jest.advanceTimersByTime(999);
    expect(closeAll).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await closing;
    await busy.closed;
    expect(busy.received()).toBe('');
  });
});

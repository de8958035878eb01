import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Readiness } from '../src/health/readiness';
import { Service, startService, useService } from './support/service';

describe('the graceful shutdown', () => {
  const { databaseUri: MONGODB_URI } = useService();
  let app: NestFastifyApplication;
  let port: number;
  /** Ends the request of `startBusy`. */
  let end: () => void;
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

  /** By default with a grace so long that waiting for its end fails the test. */
  async function start(SHUTDOWN_GRACE_MS = '600000', SHUTDOWN_DELAY_MS = '0'): Promise<Service> {
    const service = await startService({ MONGODB_URI, SHUTDOWN_GRACE_MS, SHUTDOWN_DELAY_MS });
    port = Number(new URL(await service.url()).port);
    ({ app } = service);
    return service;
  }

  /** Starts the service with a request under way. */
  async function startBusy(grace?: string): Promise<ReturnType<typeof open>> {
    const { afterGuards } = await start(grace);
    const arrived = new Promise<void>((arrive) => {
      afterGuards.next(() => {
        arrive();
        return new Promise<void>((resolve) => (end = resolve));
      });
    });
    const busy = open('/health/live');
    await arrived;
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
    expect(await app.get(Readiness).failedChecks()).toEqual(['shutdown']);
    expect(busy.received()).toBe('');
    end();
    await closing;
    await busy.closed;
    expect(busy.received()).toMatch(/200 OK[\s\S]*"ok"}$/);
  });

  it('does not wait for connections that have sent nothing', async () => {
    await start();
    const silent = connect(port, '127.0.0.1');
    sockets.push(silent);
    await once(silent, 'connect');
    const closed = once(silent, 'close');
    await app.close();
    await closed;
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

  it('is not ready for a while before it accepts nothing more; responses then ask to close the connection', async () => {
    await start('600000', '5000');
    const get = (path: string) => fetch(`http://127.0.0.1:${port}/${path}`);
    expect((await get('health/live')).headers.get('connection')).toBe('keep-alive');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
    const closing = app.close();
    while ((await get('health/live')).headers.get('connection') !== 'close') await setImmediate();
    expect((await get('health/ready')).status).toBe(503);
    await jest.advanceTimersByTimeAsync(4999);
    expect((await get('health/live')).status).toBe(200);
    await jest.advanceTimersByTimeAsync(1);
    await closing;
    await expect(get('health/live')).rejects.toThrow();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('does not wait any longer after a second signal, %s', async (signal) => {
    await start('600000', '600000');
    const before = process.listenerCount(signal);
    const closing = app.close();
    while (process.listenerCount(signal) === before) await setImmediate();
    process.emit(signal);
    await closing;
    expect(process.listenerCount(signal)).toBe(before);
  });
});

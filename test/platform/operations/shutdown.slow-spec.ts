import { setImmediate } from 'node:timers/promises';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Readiness } from '../../../src/platform/operations/health/readiness';
import { RawClient, request } from '../../support/raw-client';
import { Service, startService, useService } from '../../support/service';

const LIVE = request('GET', '/health/live');

describe('the graceful shutdown', () => {
  const { databaseUri: MONGODB_URI } = useService();
  let app: NestFastifyApplication;
  let url: string;
  /** Ends the request of `startBusy`. */
  let end: () => void;
  const clients: RawClient[] = [];

  afterEach(() => {
    jest.useRealTimers();
    clients.splice(0).forEach((client) => client.close());
  });

  function open(): RawClient {
    const client = new RawClient(Number(new URL(url).port));
    clients.push(client);
    return client;
  }

  const closed = (client: RawClient): Promise<void> => client.until(() => client.ended || client.closed);
  const get = (path: string): Promise<Response> => fetch(`${url}/health/${path}`);

  async function start(SHUTDOWN_DELAY_MS = '0'): Promise<Service> {
    const service = await startService({ MONGODB_URI, SHUTDOWN_DELAY_MS });
    url = await service.url();
    ({ app } = service);
    return service;
  }

  /** Starts the service with a request under way. */
  async function startBusy(): Promise<RawClient> {
    const { afterGuards } = await start();
    const arrived = new Promise<void>((arrive) => {
      afterGuards.next(() => {
        arrive();
        return new Promise<void>((resolve) => (end = resolve));
      });
    });
    const busy = open().send(LIVE);
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
    const idle = open().send(LIVE);
    await idle.response();
    const { closing } = await beginClose();
    await closed(idle);
    await expect(get('live')).rejects.toThrow();
    expect(await app.get(Readiness).failedChecks()).toEqual(['shutdown']);
    expect(busy.received).toBe('');
    end();
    await closing;
    expect(await busy.response()).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    await closed(busy);
  });

  it('closes the remaining connections after 10 s', async () => {
    const busy = await startBusy();
    const closeAll = jest.spyOn(app.getHttpServer(), 'closeAllConnections');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const { closing } = await beginClose();
    jest.advanceTimersByTime(9999);
    expect(closeAll).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await closing;
    await closed(busy);
    expect(busy.received).toBe('');
  });

  it('is not ready for a while before it accepts nothing more; responses then ask to close the connection', async () => {
    await start('5000');
    expect((await get('live')).headers.get('connection')).toBe('keep-alive');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
    const closing = app.close();
    while ((await get('live')).headers.get('connection') !== 'close') await setImmediate();
    expect((await get('ready')).status).toBe(503);
    await jest.advanceTimersByTimeAsync(4999);
    expect((await get('live')).status).toBe(200);
    await jest.advanceTimersByTimeAsync(1);
    await closing;
    await expect(get('live')).rejects.toThrow();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('does not wait any longer after a second signal, %s', async (signal) => {
    await start('600000');
    const before = process.listenerCount(signal);
    const closing = app.close();
    while (process.listenerCount(signal) === before) await setImmediate();
    process.emit(signal);
    await closing;
    expect(process.listenerCount(signal)).toBe(before);
  });
});

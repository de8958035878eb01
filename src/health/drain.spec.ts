import { Controller, Get, Post } from '@nestjs/common';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings } from '../config/read-settings';
import { SettingsModule } from '../config/settings.module';
import { HealthModule } from './health.module';
import { Readiness } from './readiness';

@Controller('slow')
class SlowController {
  @Get()
  slow(): Promise<string> {
    return sleep(400, 'done');
  }

  @Post()
  take(): string {
    return 'taken';
  }
}

describe('the drain', () => {
  let app: NestFastifyApplication;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const settings = readSettings({ NODE_ENV: 'test', SHUTDOWN_GRACE_MS: '1000' });
    const module = await Test.createTestingModule({
      imports: [SettingsModule.forRoot(settings), HealthModule.forRoot(settings)],
      controllers: [SlowController],
    }).compile();
    const adapter = new FastifyAdapter({ return503OnClosing: false });
    app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    port = Number(new URL(await app.getUrl()).port);
  });

  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  async function open(text: string): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    socket.write(text);
    await sleep(100);
    return { socket, received: () => received, closed };
  }

  async function msToClose(): Promise<number> {
    const start = performance.now();
    await app.close();
    return performance.now() - start;
  }

  it('closes connections that are kept alive at once', async () => {
    const idle = await open('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(idle.received()).toContain('200 OK');
    expect(await msToClose()).toBeLessThan(300);
    await idle.closed;
  });

  it('lets a request under way end, closes its connection then, and accepts no other', async () => {
    const busy = await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const closing = msToClose();
    await sleep(100);
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
    const ms = await closing;
    expect(ms).toBeGreaterThan(200);
    expect(ms).toBeLessThan(700);
    expect(busy.received()).toMatch(/200 OK[\s\S]*done$/);
  });

  it('cuts what has not ended at the end of the grace', async () => {
    const half = await open(
      'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const ms = await msToClose();
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(1500);
    await half.closed;
  });

  it('lets readiness go first', async () => {
    await open('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const readiness = app.get(Readiness);
    const closing = app.close();
    await sleep(50);
    expect(readiness.unmet).toEqual(['shutdown']);
    await closing;
  });
});

import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { expectFailure, RawClient, request } from './raw-client';
import { startWireApp } from './wire-app';

describe('time-outs', () => {
  let app: NestFastifyApplication;
  let port: number;
  beforeAll(async () => {
    ({ app, port } = await startWireApp());
  });
  afterAll(() => app.close());

  test('a request that never ends is answered with 408', async () => {
    const half = new RawClient(port).send(request('POST', '/things', { 'Content-Length': '10' }, 'half'));
    const head = new RawClient(port).send('GET /things HTTP/1.1\r\n');
    for (const client of [half, head]) expectFailure(await client.answer({ timeout: 15_000 }), 408, 1006);
    for (const client of [half, head]) client.close();
  }, 20_000);
});

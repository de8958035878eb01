import { anonymousRequest, expectRawError, RawClient, request } from './raw-client';
import { startTestApp, TestApp } from './test-app';

const half = { 'Content-Length': '10' };

let server: TestApp;
/** Requests that never end. They are all sent at once, since the server looks for them once a second. */
let unfinished: RawClient[];
let rejected: RawClient;
beforeAll(async () => {
  server = await startTestApp();
  // Not ten seconds (src/http/edge/server.spec.ts).
  Object.assign(server.app.getHttpServer(), { headersTimeout: 1000, requestTimeout: 1000 });
  const send = (data: string): RawClient => new RawClient(server.port).send(data);
  unfinished = [
    send('GET /things HTTP/1.1\r\n'),
    send(request('POST', '/things', half, 'half')),
    send(request('POST', '/nothing', { ...half, Connection: 'close' }, 'half')),
  ];
  rejected = send(anonymousRequest('POST', '/things', half, 'half'));
});
afterAll(async () => {
  for (const client of [...unfinished, rejected]) client.close();
  await server.app.close();
});

test('a request that never ends gets 408', async () => {
  for (const client of unfinished) expectRawError(await client.response(), 408, 1006);
});

test('a body that is not needed and never ends is discarded until the request times out', async () => {
  expectRawError(await rejected.response(), 401, 1100);
  await rejected.until(() => rejected.ended || rejected.closed);
  expect(rejected.received).toBe('');
});

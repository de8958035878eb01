import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { METHODS } from 'node:http';
import { exchange, expectFailure, RawClient, request } from './raw-client';
import { startWireApp } from './wire-app';

describe('paths and methods', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await startWireApp({ corsOrigins: ['https://pages.example'] }));
  });
  afterAll(() => app.close());

  const anonymous = (method: string, target: string, headers: Record<string, string> = {}): string =>
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;

  test.each([
    '/',
    '/nothing',
    '/things/',
    '/Things',
    '//things',
    '/things//parts/x',
    '/things/x/parts/',
    '/things//parts/',
    '/things/x/parts',
    '/things#x',
    '/%zz',
    '/things/a/%ff/b',
  ])('%s is no path: 404 1301 for whoever asks, with any method', async (target) => {
    for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS', 'TRACE']) {
      expectFailure(await exchange(port, anonymous(method, target)), 404, 1301);
    }
  });

  const others = (...known: string[]): string[] => METHODS.filter((method) => !known.includes(method));

  test.each(others('GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'))(
    '%s /things is 405 with Allow before anyone asks for credentials',
    async (method) => {
      const answer = await exchange(port, anonymous(method, '/things', { 'Content-Type': 'no/t a type' }));
      expectFailure(answer, 405, 1400);
      expect(answer.headers.allow!.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
    },
  );

  test.each(others('GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT'))(
    '%s /things/:id is 405 with Allow',
    async (method) => {
      const answer = await exchange(port, anonymous(method, '/things/x?a=b'));
      expectFailure(answer, 405, 1400);
      expect(answer.headers.allow!.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']);
    },
  );

  test('OPTIONS on a known path is 204 with Allow', async () => {
    const answer = await exchange(port, anonymous('OPTIONS', '/things/x/parts/y'));
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(answer.headers.allow!.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(answer.headers['content-type']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('OPTIONS * is 204 and names the methods of the service', async () => {
    const answer = await exchange(port, anonymous('OPTIONS', '*'));
    expect(answer).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' } });
  });

  test.each([
    '%zz',
    '%',
    '%f',
    '%ff',
    '%c3%28',
    'a%2',
    '%00',
    '%2F',
    '%2e%2e',
    '%41%ff',
    '%25zz',
    'a#b',
    'é'.repeat(0) + '%C3%A9',
    'x'.repeat(4000),
  ])('/things/%s names nothing: it reaches the guards', async (id) => {
    const target = `/things/${id}`;
    expect(await exchange(port, anonymous('GET', target))).toMatchObject({ status: 401 });
    expect(await exchange(port, anonymous('PATCH', target))).toMatchObject({ status: 405 });
    const answer = await exchange(port, request('GET', target));
    expect(answer.status).toBe(200);
    // Broken encoding stands for itself; what decodes is decoded.
    let expected = id;
    try {
      expected = decodeURIComponent(id);
    } catch {
      // as it is
    }
    expect(Buffer.from(answer.body, 'latin1').toString()).toBe(JSON.stringify({ _id: expected }));
  });

  test('broken encoding in one segment leaves the others alone', async () => {
    const answer = await exchange(port, request('GET', '/%74hings/%zz/parts/%41'));
    expect(answer.json()).toEqual({ id: '%zz', partId: 'A' });
  });

  test('broken encoding in the query leaves the path as it is', async () => {
    const answer = await exchange(port, request('GET', '/things/%41?q=%zz#x'));
    expect(answer.json()).toEqual({ _id: 'A' });
  });

  test('an absolute-form target is its path', async () => {
    expect(await exchange(port, request('GET', 'http://localhost/things/x'))).toMatchObject({ status: 200 });
    expectFailure(await exchange(port, request('GET', 'http://localhost')), 404, 1301);
    expectFailure(await exchange(port, request('GET', 'http://localhost?a=/things')), 404, 1301);
  });

  test('HEAD has the headers of GET, Content-Length included, and no body', async () => {
    const client = new RawClient(port).send(request('HEAD', '/things/x') + request('GET', '/things/x'));
    const [head, get] = [await client.answer({ head: true }), await client.answer()];
    client.close();
    for (const answer of [head, get]) for (const name of ['x-request-id', 'date']) delete answer.headers[name];
    expect(head).toMatchObject({ status: 200, headers: get.headers });
    expect(head.headers['content-length']).toBe('11');
  });

  test('HEAD of a failure has no body', async () => {
    for (const [target, status] of [
      ['/things/x', 401],
      ['/nothing', 404],
    ] as const) {
      const client = new RawClient(port).send(anonymous('HEAD', target) + request('GET', '/things/x'));
      expect(await client.answer({ head: true })).toMatchObject({ status });
      expect(await client.answer()).toMatchObject({ status: 200 });
      client.close();
    }
  });
});

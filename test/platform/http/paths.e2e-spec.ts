import { METHODS } from 'node:http';
import { exchange, expectRawError, RawClient, request, useRawService } from '../../support/raw-client';

describe('paths and methods', () => {
  const server = useRawService();
  const { asAdmin } = server;

  test.each('/nothing /Users /usersx /users/?q=x //users /organizations//apis/x /users#x'.split(' '))(
    '%s is an unknown path: 404 1301 for everyone and every method',
    async (target) => {
      for (const method of ['GET', 'PATCH', 'OPTIONS', 'TRACE'])
        expectRawError(await exchange(server.port, request(method, target)), 404, 1301);
    },
  );

  test('the 404 of a page, too, says if a trailing slash is why', async () => {
    const response = await exchange(server.port, request('GET', '/docs/errors/'));
    expectRawError(response, 404, 1301);
    expect(response.json().message).toBe('No such path: paths have no trailing slash.');
  });

  test('every method that a path does not support is 405 with Allow, without credentials', async () => {
    const known = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'];
    const headers = { 'Content-Type': 'no/t a type' };
    for (const method of METHODS.filter((name) => ![...known, 'CONNECT'].includes(name))) {
      const response = await exchange(server.port, request(method, '/organizations/x?a=b', headers));
      expectRawError(response, 405, 1400);
      expect(response.headers.allow!.split(', ').sort()).toEqual(known);
      expect(/Use PUT\.$/.test(response.json().message as string)).toBe(method === 'PATCH');
    }
  });

  test('OPTIONS is 204 without a body or credentials', async () => {
    const { status, headers, body } = await exchange(server.port, request('OPTIONS', '/organizations'));
    expect([status, body]).toEqual([204, '']);
    expect(headers.allow!.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
    expect(headers).not.toHaveProperty('content-type');
  });

  const ids = '%00 %2F %2e%2e %25zz a#b %C3%A9'.split(' ');
  test.each([...ids, 'x'.repeat(4000)])('/organizations/%s reaches the guards as an id', async (id) => {
    const target = `/organizations/${id}`;
    expectRawError(await exchange(server.port, request('GET', target)), 401, 1100);
    expectRawError(await exchange(server.port, request('PATCH', target)), 405, 1400);
    expectRawError(await exchange(server.port, asAdmin('GET', target)), 404, 1234);
  });

  test('HEAD has the headers of GET, Content-Length included, and no body', async () => {
    const client = new RawClient(server.port).send(
      asAdmin('HEAD', '/organizations') + asAdmin('GET', '/organizations'),
    );
    const [head, get] = [await client.response({ head: true }), await client.response()];
    client.close();
    for (const { headers } of [head, get]) for (const name of ['x-request-id', 'date']) delete headers[name];
    expect(head).toMatchObject({ status: 200, headers: get.headers });
    expect(head.headers['content-length']).toBe(String(get.body.length));
  });
});

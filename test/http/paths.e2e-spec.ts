import { METHODS } from 'node:http';
import { anonymousRequest, exchange, expectRawError, RawClient, request } from './raw-client';
import { useTestApp } from './test-app';

describe('paths and methods', () => {
  const server = useTestApp({ corsOrigins: ['https://pages.example'] });
  let port: number;
  beforeAll(() => ({ port } = server));

  const unknown = '/ /nothing /things/ /Things //things /things//parts/x /things/x/parts/ /things/x/parts /things#x';
  test.each([...unknown.split(' '), '/things//parts/', '/%zz', '/things/a/%ff/b'])(
    '%s is an unknown path: 404 1301 for everyone and every method',
    async (target) => {
      for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS', 'TRACE']) {
        expectRawError(await exchange(port, anonymousRequest(method, target)), 404, 1301);
      }
    },
  );

  test.each([
    ['/things', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/things/x?a=b', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
  ])('other methods on %s are 405 with Allow: %j, without credentials', async (target, known) => {
    const headers = { 'Content-Type': 'no/t a type' };
    for (const method of METHODS.filter((name) => ![...known, 'CONNECT'].includes(name))) {
      const response = await exchange(port, anonymousRequest(method, target, headers));
      expectRawError(response, 405, 1400);
      const { allow } = response.headers;
      expect(allow!.split(', ').sort()).toEqual(known);
      const advice = method === 'PATCH' && known.includes('PUT') ? ' Use PUT.' : '';
      expect(response.json().message).toBe(`This path supports only ${allow}.${advice}`);
    }
    const options = await exchange(port, anonymousRequest('OPTIONS', target));
    expect(options).toMatchObject({ status: 204, body: '' });
    expect(options.headers.allow!.split(', ').sort()).toEqual(known);
    for (const name of ['content-type', 'access-control-allow-origin'])
      expect(options.headers).not.toHaveProperty(name);
  });

  test('OPTIONS * is 204 and lists the methods of the service', async () => {
    const response = await exchange(port, anonymousRequest('OPTIONS', '*'));
    expect(response.status).toBe(204);
    expect(response.headers.allow!.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
  });

  const ids = '%zz % %f %ff %c3%28 a%2 %00 %2F %2e%2e %41%ff %25zz a#b %C3%A9'.split(' ');
  test.each([...ids, 'x'.repeat(4000)])('/things/%s reaches the guards as an id', async (id) => {
    const target = `/things/${id}`;
    expect(await exchange(port, anonymousRequest('GET', target))).toMatchObject({ status: 401 });
    expect(await exchange(port, anonymousRequest('PATCH', target))).toMatchObject({ status: 405 });
    const response = await exchange(port, request('GET', target));
    expect(response.status).toBe(200);
    // Broken encoding is taken literally.
    let expected = id;
    try {
      expected = decodeURIComponent(id);
    } catch {
      // as it is
    }
    expect(Buffer.from(response.body, 'latin1').toString()).toBe(JSON.stringify({ _id: expected }));
  });

  test('HEAD has the headers of GET, Content-Length included, and no body', async () => {
    const client = new RawClient(port).send(request('HEAD', '/things/x') + request('GET', '/things/x'));
    const [head, get] = [await client.response({ head: true }), await client.response()];
    client.close();
    for (const { headers } of [head, get]) for (const name of ['x-request-id', 'date']) delete headers[name];
    expect(head).toMatchObject({ status: 200, headers: get.headers });
    expect(head.headers['content-length']).toBe('11');
  });
});

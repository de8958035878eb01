import { METHODS } from 'node:http';
import { exchange, expectRawError, RawClient, request, useRawService } from './raw-client';

describe('paths and methods', () => {
  const server = useRawService({ CORS_ORIGINS: 'https://pages.example' });
  const { asAdmin } = server;

  const unknown =
    '/nothing /users/ /Users //users /organizations//apis/x /organizations/x/apis/ /users/x/parts /users#x';
  test.each([...unknown.split(' '), '/organizations//apis/'])(
    '%s is an unknown path: 404 1301 for everyone and every method',
    async (target) => {
      for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS', 'TRACE']) {
        expectRawError(await exchange(server.port, request(method, target)), 404, 1301);
      }
    },
  );

  test.each([
    ['/apis/', true],
    ['/users/?q=x', true],
    ['/organizations/x/apis/', true],
    ['/users/x/', true],
    ['/docs/errors/', true],
    ['/nothing/', false],
    ['/users//', false],
    ['/organizations//apis/', false],
    ['/users?q=x/', undefined],
  ])('the 404 of %s says whether the trailing slash is why: %j', async (target, isWhy) => {
    const response = await exchange(server.port, request('GET', target));
    if (isWhy === undefined) return expectRawError(response, 401, 1100);
    expectRawError(response, 404, 1301);
    expect(response.json().message).toBe(isWhy ? 'No such path: paths have no trailing slash.' : 'No such path.');
  });

  test.each([
    ['/organizations', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/organizations/x?a=b', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
  ])('other methods on %s are 405 with Allow: %j, without credentials', async (target, known) => {
    const headers = { 'Content-Type': 'no/t a type' };
    for (const method of METHODS.filter((name) => ![...known, 'CONNECT'].includes(name))) {
      const response = await exchange(server.port, request(method, target, headers));
      expectRawError(response, 405, 1400);
      const { allow } = response.headers;
      expect(allow!.split(', ').sort()).toEqual(known);
      const advice = method === 'PATCH' && known.includes('PUT') ? ' Use PUT.' : '';
      expect(response.json().message).toBe(`This path supports only ${allow}.${advice}`);
    }
    const options = await exchange(server.port, request('OPTIONS', target));
    expect(options).toMatchObject({ status: 204, body: '' });
    expect(options.headers.allow!.split(', ').sort()).toEqual(known);
    for (const name of ['content-type', 'access-control-allow-origin'])
      expect(options.headers).not.toHaveProperty(name);
  });

  test('OPTIONS * is 204 and lists the methods of the service', async () => {
    const response = await exchange(server.port, request('OPTIONS', '*'));
    expect(response.status).toBe(204);
    expect(response.headers.allow!.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']);
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

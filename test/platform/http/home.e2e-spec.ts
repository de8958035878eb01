import type { Response } from 'light-my-request';
import { Service, startService, useService } from '../../support/service';

/** As Chromium and Firefox send it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** Without the test client, which rejects the word `password` in a response. */
function home(
  service: Service,
  accept?: string,
  method: 'GET' | 'HEAD' | 'POST' = 'GET',
  url = '/registry',
): Promise<Response> {
  return service.app.inject({ method, url, headers: accept === undefined ? {} : { accept } });
}

describe('GET /', () => {
  const service = useService({ BASE_PATH: '/registry', CORS_ORIGINS: 'https://pages.example' });

  it.each([undefined, '*/*', 'application/json, text/plain, */*', 'application/json, text/html;q=0.9'])(
    'returns JSON with links to clients that send Accept: %s',
    async (accept) => {
      const { headers, json } = await home(service, accept);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      const { name, version, description: _, ...links } = json<Record<string, string>>();
      expect({ name, version }).toEqual({ name: 'Roster', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
      expect(links).toEqual({
        docs: '/registry/docs',
        openapi: '/registry/openapi.json',
        access: 'Admins create accounts: ask the operator of this service for one.',
        contract: '/registry/docs/contract',
        limits: '/registry/docs/limits',
        errors: '/registry/docs/errors',
        versioning: '/registry/docs/versioning',
        login: '/registry/sessions',
        live: '/registry/health/live',
        ready: '/registry/health/ready',
      });
    },
  );

  it.each(['/registry', '/registry/'])('leads browsers from %s to the documentation', async (path) => {
    const { statusCode, headers } = await home(service, BROWSER, 'GET', path);
    expect([statusCode, headers.location]).toEqual([302, '/registry/docs']);
  });

  it('HEAD has the headers of GET, and other methods are 405', async () => {
    const [get, head] = [await home(service), await home(service, undefined, 'HEAD')];
    expect(head.payload).toBe('');
    for (const name of ['content-type', 'content-length'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    const { statusCode, headers } = await home(service, BROWSER, 'POST');
    expect([statusCode, headers.allow]).toEqual([405, expect.stringMatching(/GET/)]);
  });
});

it('with DOCS=off, GET / is JSON to browsers too', async () => {
  const service = await startService({ DOCS: 'off' });
  const { statusCode, json } = await home(service, BROWSER, 'GET', '/');
  const links = json<Record<string, string>>();
  expect([statusCode, links.access]).toEqual([
    200,
    'Admins create accounts: ask the operator of this service for one.',
  ]);
  expect(links.docs).toBeUndefined();
  await service.stop();
});

it('with REGISTRATION=open, GET / says how to create an account', async () => {
  const service = await startService({ REGISTRATION: 'open', BASE_PATH: '/registry' });
  expect((await home(service)).json()).toMatchObject({ access: 'Create an account with POST /registry/users.' });
  await service.stop();
});

it('with OIDC_CREATE_USERS=on, GET / says whose token creates an account', async () => {
  const provider = { OIDC_ISSUER: 'http://127.0.0.1:9/x', OIDC_AUDIENCE: 'roster', OIDC_CREATE_USERS: 'on' };
  const service = await startService({ ...provider, OIDC_COMPANY_NAME: 'Cogs', ORGANIZATION_CREATION: 'admin' });
  const access = 'Send POST /users without a body, with an access token of http://127.0.0.1:9/x.';
  expect((await home(service, undefined, 'GET', '/')).json()).toMatchObject({ access });
  await service.stop();
});

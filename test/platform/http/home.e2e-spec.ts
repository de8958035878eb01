import type { Response } from 'light-my-request';
import { organizationBody } from '../../support/records';
import { apiBody } from '../../registry/apis/api-records';
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

  it.each([undefined, '*/*', 'application/json, text/plain, */*', 'application/json,text/html;q=0.9'])(
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

  it.each([BROWSER, 'text/html', 'application/json;q=0.5, text/html;q=0.6'])(
    'returns a page without scripts to browsers, which send Accept: %s',
    async (accept) => {
      const { headers, payload } = await home(service, accept);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self';/),
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.any(String),
        vary: 'Accept, Origin',
      });
      expect(payload).not.toMatch(/<script|style=|https?:/);
    },
  );

  it.each(['/registry', '/registry/'])('has links that lead somewhere from %s', async (path) => {
    const { payload } = await home(service, BROWSER, 'GET', path);
    const links = Array.from(payload.matchAll(/href="([^"#]+)/g), ([, link = '']) => new URL(link, `http://x${path}`));
    expect(links.length).toBeGreaterThan(6);
    for (const { pathname } of links)
      expect([pathname, (await service.app.inject({ url: pathname })).statusCode]).toEqual([pathname, 200]);
  });

  it('HEAD has the headers of GET, and other methods are 405', async () => {
    const [get, head] = [await home(service, BROWSER), await home(service, BROWSER, 'HEAD')];
    expect(head.payload).toBe('');
    for (const name of ['content-type', 'content-length', 'content-security-policy', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    const { statusCode, headers } = await home(service, BROWSER, 'POST');
    expect([statusCode, headers.allow]).toEqual([405, expect.stringMatching(/GET/)]);
  });
});

it.each([
  ['help@registry.example', 'mailto:help@registry.example'],
  ['https://wiki.example/?page=1&copy;=2', 'https://wiki.example/?page=1&amp;copy;=2'],
])('with CONTACT=%s, GET / shows it, escaped in its page', async (CONTACT, href) => {
  const service = await startService({ CONTACT });
  const escaped = CONTACT.replace('&', '&amp;');
  expect((await home(service, BROWSER, 'GET', '/')).payload).toContain(`<a href="${href}">${escaped}</a>`);
  const access = `Admins create accounts: ask ${CONTACT} for one.`;
  expect((await home(service, undefined, 'GET', '/')).json()).toMatchObject({ contact: CONTACT, access });
  expect((await home(service, BROWSER, 'GET', '/')).payload).toContain(access.replace('&', '&amp;'));
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

it('with API_CATALOG=public, GET / counts Organizations and public APIs once, unless the database is slow', async () => {
  const service = await startService({ API_CATALOG: 'public' });
  const read = async (): Promise<object> => (await home(service, undefined, 'GET', '/')).json();
  const { body } = await service.admin.post('/organizations', organizationBody());
  for (const isPublic of [true, false])
    await service.admin.post(`/organizations/${body.data._id}/apis`, { ...apiBody(), isPublic });
  const counting = jest.spyOn(service.model('Api'), 'countDocuments');
  for (const time of [1, 2]) expect([time, await read()]).toMatchObject([time, { organizations: 1, publicApis: 1 }]);
  expect((await home(service, BROWSER, 'GET', '/')).payload).toContain('About 1 Organizations and 1 public APIs');
  expect(counting).toHaveBeenCalledTimes(1);
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'],
    now: Date.now() + 61_000,
  });
  counting.mockReturnValueOnce(new Promise(() => undefined) as never);
  for (const time of [1, 2]) expect([time, await read()]).not.toHaveProperty('1.organizations');
  jest.useRealTimers();
  await service.stop();
});

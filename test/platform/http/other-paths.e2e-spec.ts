import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Response } from 'light-my-request';
import { IdentityProvider } from '../../../src/platform/http/access/identity-provider';
import { PAGES, renderPage } from '../../../src/platform/http/openapi/markdown-pages';
import { withoutAccess } from '../../support/operations';
import { expectError } from '../../support/expect-error';
import type { Json } from '../../support/json';
import { exchange, useRawService } from '../../support/raw-client';
import { Service, startService } from '../../support/service';
import { until } from '../../support/until';

const FILE = readFileSync(join(__dirname, '../../../openapi.json'), 'utf8');
/** As Chromium and Firefox send it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

/** Without the test client, which rejects the word `password` in a response. */
function get(service: Service, url: string, headers: Record<string, string> = {}): Promise<Response> {
  return service.app.inject({ method: 'GET', url, headers });
}

/** Runs work with a service that has these settings. */
async function withService(env: Record<string, string>, work: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(env);
  await work(service).finally(() => service.stop());
}

const raw = useRawService({ BASE_PATH: '/registry' });
const { service } = raw;

describe('GET /', () => {
  it.each([undefined, 'application/json, text/plain, */*', 'application/json, text/html;q=0.9'])(
    'returns JSON with links to clients that send Accept: %s',
    async (accept) => {
      const { headers, json } = await get(service, '/registry', accept === undefined ? {} : { accept });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      const { name, version, description: _, ...links } = json<Record<string, string>>();
      expect({ name, version }).toEqual({ name: 'Roster', version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
      expect(links).toEqual({
        catalog: '/registry/catalog/',
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

  it.each(['/registry', '/registry/'])('leads browsers from %s to the catalog page', async (path) => {
    const { statusCode, headers } = await get(service, path, { accept: BROWSER });
    expect([statusCode, headers.location]).toEqual([302, '/registry/catalog/']);
  });

  it('names the API catalog if everyone may read it, which is at the root of the host', async () => {
    await withService({ API_CATALOG: 'public', BASE_PATH: '/registry' }, async (open) =>
      expect((await get(open, '/registry')).json()).toMatchObject({ apiCatalog: '/.well-known/api-catalog' }),
    );
  });

  it('says how to create an account with REGISTRATION=open, and whose token does with OIDC_CREATE_USERS=on', async () => {
    await withService({ REGISTRATION: 'open', BASE_PATH: '/registry' }, async (open) => {
      const access = 'Create an account with POST /registry/users.';
      expect((await get(open, '/registry')).json()).toMatchObject({ access });
    });
    const provider = { OIDC_ISSUER: 'http://127.0.0.1:9/x', OIDC_AUDIENCE: 'roster', OIDC_CREATE_USERS: 'on' };
    const creates = { OIDC_COMPANY_NAME: 'Cogs', ORGANIZATION_CREATION: 'admin' };
    await withService({ ...provider, ...creates }, async (creating) => {
      const access = 'Send POST /users without a body, with an access token of http://127.0.0.1:9/x.';
      expect((await get(creating, '/')).json()).toMatchObject({ access });
    });
  });
});

describe('the documentation', () => {
  it('has the committed document without login, with the base path as the server and in the links', async () => {
    const { statusCode, headers, json } = await get(service, '/registry/openapi.json');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const document = json<Json>();
    expect(document.servers).toEqual([{ url: '/registry' }]);
    expect(document.info.description).toContain('](/registry/docs/errors)');
    expect(document.externalDocs.url).toBe('/registry/docs/contract');
    expect(Object.keys(document.paths as object)).toEqual(Object.keys(JSON.parse(FILE).paths as object));
    expect((await service.nobody.get('/docs')).status).toBe(404);
    await withService({}, async (other) =>
      expect(withoutAccess((await get(other, '/openapi.json')).payload)).toBe(withoutAccess(FILE)),
    );
  });

  it.each([
    [{}, 'Every account.', 'An Admin.', 'Every account.'],
    [{ ORGANIZATION_CREATION: 'admin', REGISTRATION: 'open' }, 'An Admin.', 'Anyone.', 'Every account.'],
    [{ USER_DIRECTORY: 'admins' }, 'Every account.', 'An Admin.', 'That User or an Admin.'],
  ])('says who may call an operation with %p', async (settings, organizations, users, user) => {
    await withService(settings, async (other) => {
      const { paths } = (await get(other, '/openapi.json')).json<Json>();
      const operations = [paths['/organizations'].post, paths['/users'].post, paths['/users/{id}'].get];
      expect(operations.map((one: Json) => one['x-access'].replace(' Not with an API key.', ''))).toEqual([
        organizations,
        users,
        user,
      ]);
      for (const { description, 'x-access': access } of operations)
        expect(description.endsWith(`**Access:** ${access}`)).toBe(true);
      expect(JSON.stringify(paths).match(/"x-access":"[^"]*`/)).toBeNull();
    });
  });

  it.each([
    '/openapi.json',
    '/catalog/',
    '/catalog/catalog.css',
    '/docs',
    '/docs/swagger-ui.js',
    '/docs/errors',
    '/docs/contract',
  ])('GET %s returns 304 if nothing has changed', async (path) => {
    const { headers } = await get(service, `/registry${path}`);
    const again = await get(service, `/registry${path}`, { 'if-none-match': headers.etag! });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('has a page that loads nothing from other hosts, and its files have their media types', async () => {
    const { status, headers, text } = await service.nobody.get('/registry/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).not.toMatch(/https?:/);
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => `/registry/${file}`);
    const types = await Promise.all(
      files.map(async (file) => (await service.nobody.get(file)).headers['content-type']),
    );
    const [css, script] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];
    expect(types).toEqual(['image/png', css, css, script, script]);
    const { statusCode, headers: redirect } = await get(service, '/registry/docs/');
    expect([statusCode, redirect.location]).toEqual([308, '../docs']);
  });

  it('has no other paths or methods', async () => {
    expectError(await service.nobody.get('/registry/docs/package.json'), 'pathNotFound');
    expectError(await service.nobody.post('/registry/docs', {}), 'methodNotAllowed');
  });

  it.each(Object.keys(PAGES))('/docs/%s has no scripts, and links that lead somewhere', async (name) => {
    const { statusCode, headers, payload } = await get(service, `/registry/docs/${name}`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self'; /);
    expect(payload).not.toMatch(/<script|style=/);
    expect(payload.match(/<main>/g)).toHaveLength(1);
    const links = [...payload.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    for (const link of links.filter((one) => !/^https?:/.test(one))) {
      const { pathname, hash } = new URL(link, `http://x/registry/docs/${name}`);
      const { statusCode: status, payload: there } = await get(service, pathname);
      const isThere =
        pathname.startsWith('/registry') && (hash === '' || there.includes(`id="${decodeURI(hash.slice(1))}"`));
      expect([link, status, isThere]).toEqual([link, 200, true]);
    }
  });

  it('is what the Link of an error leads to, by its code, also of the HTTP parser', async () => {
    const { headers } = await get(service, '/registry/nothing');
    expect(headers.link).toBe('</registry/docs/errors#1301>; rel="help"');
    expect((await get(service, '/registry/docs/errors')).payload).toMatch(
      /<td id="1301">1301<\/td>\n<td>[^<]+<\/td>\n<td>[^<]+\.<\/td>/,
    );
    const unparsed = await exchange(raw.port, 'GET / HTTP/9\r\n\r\n');
    expect(unparsed.headers.link).toBe('</registry/docs/errors#1006>; rel="help"');
  });
});

describe('the catalog page', () => {
  it('loads nothing from other hosts, and never treats text as markup', async () => {
    const { statusCode, headers, payload } = await get(service, '/registry/catalog/');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    const files = [...payload.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, file]) => `/registry/catalog/${file}`);
    const types = await Promise.all(files.map(async (file) => (await get(service, file)).headers['content-type']));
    const utf8 = (type: string): string => `${type}; charset=utf-8`;
    expect(types).toEqual(['image/svg+xml', utf8('text/css'), utf8('text/javascript')]);
  });

  it('is where its path without the slash redirects', async () => {
    const { statusCode, headers } = await get(service, '/registry/catalog');
    expect([statusCode, headers.location]).toEqual([308, 'catalog/']);
  });
});

test('A page has the markup of its file as text, and no link to a script or to a file that is not shown', () => {
  const html = renderPage(
    '# A & <b>B</b>\n\n<script>x</script> [one](javascript:x) [two](../src/main.ts) [three](contract.md#a)\n',
  );
  expect(html).toContain('<title>A &amp; &lt;b&gt;B&lt;/b&gt; – Roster</title>');
  expect(html).toContain(
    '&lt;script&gt;x&lt;/script&gt; [one](javascript:x) <span>two</span> <a href="contract#a">three</a>',
  );
});

it('with an identity provider, the document and GET / have its login, and the policies of pages only the origin of its tokens', async () => {
  const tokenUrl = 'https://idp.example/token;script-src-elem *';
  const provider = createServer((_request, response) => {
    const login = { authorization_endpoint: `${issuer}/auth`, token_endpoint: tokenUrl };
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, ...login, keys: [] }));
  });
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const oidc = await startService({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'roster', OIDC_CLIENT_ID: 'docs' });
  await until(() => oidc.app.get(IdentityProvider).endpoints !== undefined);
  for (const page of ['/docs', '/catalog/']) {
    const policy = String((await get(oidc, page)).headers['content-security-policy']);
    expect(policy.split('; ')).toContain("connect-src 'self' https://idp.example");
    expect(policy).not.toMatch(/elem|\*/);
  }
  expect((await get(oidc, '/')).json()).toMatchObject({
    identityProvider: {
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: new URL(tokenUrl).href,
      clientId: 'docs',
      scope: 'openid',
    },
  });
  const document = (await get(oidc, '/openapi.json')).payload;
  expect(document).toContain(JSON.stringify(new URL(tokenUrl).href));
  await oidc.stop();
  provider.closeAllConnections();
  provider.close();
});

it('with CATALOG=off, browsers are led to the documentation, and the catalog page is not served', async () => {
  await withService({ CATALOG: 'off' }, async (bare) => {
    expect((await get(bare, '/', { accept: BROWSER })).headers.location).toBe('/docs');
    for (const path of ['catalog', 'catalog/', 'catalog/catalog.mjs'])
      expectError(await bare.nobody.get(`/${path}`), 'pathNotFound', expect.any(String));
  });
});

it('with DOCS=off and CATALOG=off, neither the document nor a page is served, and GET / has no links to them', async () => {
  await withService({ DOCS: 'off', CATALOG: 'off' }, async (bare) => {
    for (const path of ['docs', 'openapi.json', 'docs/', 'docs/start.mjs', 'docs/errors', 'docs/contract'])
      expectError(await bare.nobody.get(`/${path}`), 'pathNotFound', expect.any(String));
    expect((await get(bare, '/nothing')).headers).not.toHaveProperty('link');
    for (const accept of [BROWSER, 'application/json']) {
      const { payload } = await get(bare, '/', { accept });
      expect(payload).not.toMatch(/docs|openapi|catalog/);
      expect(payload).toContain('health/ready"');
    }
  });
});

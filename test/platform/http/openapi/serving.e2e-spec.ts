import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Response as LightMyRequestResponse } from 'light-my-request';
import { IdentityProvider } from '../../../../src/platform/http/access/identity-provider';
import type { Json } from '../../../support/json';
import { Service, startService, useService } from '../../../support/service';
import { until } from '../../../support/until';

/** Without the test client, which rejects the word `password` in a response. */
function get(service: Service, url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return service.app.inject({ method: 'GET', url, headers });
}

const FILE = readFileSync(join(__dirname, '../../../../openapi.json'), 'utf8');

describe('documentation', () => {
  const service = useService();

  it('GET /openapi.json returns the committed file without login', async () => {
    const response = await get(service, '/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.payload).toBe(FILE);
  });

  it.each(['/openapi.json', '/docs', '/docs/swagger-ui.js', '/docs/errors', '/docs/contract'])(
    'GET %s returns 304 if nothing has changed',
    async (path) => {
      const { headers } = await get(service, path);
      const again = await get(service, path, { 'if-none-match': headers.etag! });
      expect(again.statusCode).toBe(304);
      expect(again.payload).toBe('');
    },
  );

  it('GET /docs returns a page that loads nothing from other hosts, and its files have their media types', async () => {
    const { status, headers, text } = await service.nobody.get('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).not.toMatch(/https?:/);
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => `/${file}`);
    const types = await Promise.all(
      files.map(async (file) => (await service.nobody.get(file)).headers['content-type']),
    );
    const [css, script] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];
    expect(types).toEqual(['image/png', css, css, script, script]);
  });

  it('GET /docs/ redirects to /docs, by a relative address', async () => {
    const { statusCode, headers } = await get(service, '/docs/');
    expect([statusCode, headers.location]).toEqual([308, '../docs']);
  });

  it('has no other paths or methods', async () => {
    expect(await service.nobody.get('/docs/package.json')).toMatchObject({ status: 404, body: { code: 1301 } });
    expect(await service.nobody.post('/docs', {})).toMatchObject({ status: 405, body: { code: 1400 } });
  });
});

it('with an identity provider, the document has its login, and the policy of /docs only the origin of its tokens', async () => {
  const tokenUrl = 'https://idp.example/token;script-src-elem *';
  const provider = createServer((_request, response) => {
    const login = { authorization_endpoint: `${issuer}/auth`, token_endpoint: tokenUrl };
    response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, ...login, keys: [] }));
  });
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const oidc = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'roster', OIDC_CLIENT_ID: 'docs' };
  const service = await startService(oidc);
  await until(() => service.app.get(IdentityProvider).endpoints !== undefined);
  const policy = String((await get(service, '/docs')).headers['content-security-policy']);
  expect(policy.split('; ')).toContain("connect-src 'self' https://idp.example");
  expect(policy).not.toMatch(/elem|\*/);
  const document = (await get(service, '/openapi.json')).payload;
  expect(document).toContain(JSON.stringify(new URL(tokenUrl).href));
  await service.stop();
  provider.closeAllConnections();
  provider.close();
});

it('with BASE_PATH, the documentation is served there, names it as the server, and has it in its links', async () => {
  const service = await startService({ BASE_PATH: '/registry' });
  const document = (await get(service, '/registry/openapi.json')).json<Json>();
  expect(document.servers).toEqual([{ url: '/registry' }]);
  expect(document.info.description).toContain('](/registry/docs/errors)');
  expect(document.externalDocs.url).toBe('/registry/docs/contract');
  for (const path of ['/registry/docs', '/registry/docs/swagger-ui.css'])
    expect((await service.nobody.get(path)).status).toBe(200);
  expect((await service.nobody.get('/docs')).status).toBe(404);
  await service.stop();
});

it('with DOCS=off, neither the document nor the page is served, and GET / has no links to them', async () => {
  const service = await startService({ DOCS: 'off' });
  for (const path of [
    '/docs',
    '/openapi.json',
    '/docs/',
    '/docs/start.mjs',
    '/docs/errors',
    '/docs/contract',
    '/docs/limits',
    '/docs/versioning',
  ])
    expect(await service.nobody.get(path)).toMatchObject({ status: 404, body: { code: 1301 } });
  expect((await get(service, '/nothing')).headers).not.toHaveProperty('link');
  for (const accept of ['text/html', 'application/json']) {
    const { payload } = await get(service, '/', { accept });
    expect(payload).not.toMatch(/docs|openapi/);
    expect(payload).toContain('health/ready"');
  }
  await service.stop();
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response as LightMyRequestResponse } from 'light-my-request';
import { OpenApi } from '../../src/openapi/open-api';
import { Service, startService } from '../support/service';

/** Past the client of the tests, which objects to the word `password` in an answer. */
function get(service: Service, url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return service.app.inject({ method: 'GET', url, headers });
}

const FILE = readFileSync(join(__dirname, '../../openapi.json'), 'utf8');

describe('the documentation', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('GET /openapi.json gives the committed file to anyone', async () => {
    const answer = await get(service, '/openapi.json');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.payload).toBe(FILE);
  });

  it.each(['/openapi.json', '/docs', '/docs/swagger-ui.js'])(
    'GET %s answers 304 while nothing has changed',
    async (path) => {
      const { headers } = await get(service, path);
      const again = await get(service, path, { 'if-none-match': headers.etag! });
      expect(again.statusCode).toBe(304);
      expect(again.payload).toBe('');
    },
  );

  it('GET /docs gives a page that loads nothing from elsewhere', async () => {
    const { status, headers, text } = await service.nobody.get('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(text).not.toMatch(/https?:/);
  });

  it('GET of each file of the page gives it with its media type', async () => {
    const { text } = await service.nobody.get('/docs');
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, file]) => `/${file}`);
    const types = await Promise.all(
      files.map(async (file) => (await service.nobody.get(file)).headers['content-type']),
    );
    expect(types).toEqual([
      'image/png',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  it('has neither other paths nor other methods', async () => {
    expect(await service.nobody.get('/docs/')).toMatchObject({ status: 404, body: { code: 1301 } });
    expect(await service.nobody.get('/docs/package.json')).toMatchObject({ status: 404, body: { code: 1301 } });
    expect(await service.nobody.post('/docs', {})).toMatchObject({ status: 405, body: { code: 1400 } });
  });
});

describe('the documentation under BASE_PATH', () => {
  it('is below it, and its paths too', async () => {
    const service = await startService({ BASE_PATH: '/registry' });
    const answer = await get(service, '/registry/openapi.json');
    expect(answer.json<OpenApi>().servers).toEqual([{ url: '/registry' }]);
    expect((await service.nobody.get('/registry/docs')).status).toBe(200);
    expect((await service.nobody.get('/registry/docs/swagger-ui.css')).status).toBe(200);
    expect((await service.nobody.get('/docs')).status).toBe(404);
    await service.stop();
  });
});

describe('DOCS=off', () => {
  it('serves neither the document nor the page', async () => {
    const service = await startService({ DOCS: 'off' });
    for (const path of ['/docs', '/openapi.json', '/docs/start.js']) {
      expect(await service.nobody.get(path)).toMatchObject({ status: 404, body: { code: 1301 } });
    }
    await service.stop();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Browser, SCREEN } from './browser';
import { SwaggerUi } from './swagger-ui';

const ID = '65f5f0a2c3d4e5f60718293b';

type Operations = Record<string, { operationId?: string; tags?: string[] }>;
const { paths, tags } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
  paths: Record<string, Operations>;
  tags: { name: string }[];
};
const TAGS = tags.map(({ name }) => name);
const operationsOf = (tag: string): string[] =>
  Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, tags: own }) => (operationId && own?.includes(tag) ? [operationId] : []));

describe('Swagger UI', () => {
  let browser: Browser;
  let page: Page;
  let swaggerUi: SwaggerUi;

  beforeAll(async () => {
    browser = await Browser.start();
    page = await browser.newPage();
    swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs`);
  });
  afterAll(() => browser?.stop());

  it.each(TAGS)(
    'shows the operations of %s on at most two screens, and sends nothing that is optional',
    async (tag) => {
      const sent: { method: string; query: string; headers: string[]; body: object }[] = [];
      const heights: Record<string, number> = {};
      await page.route(`${browser.url}/**`, (route) => {
        const request = route.request();
        const headers = Object.keys(request.headers()).filter((name) => /^(?:if-|prefer$)/.test(name));
        const { search } = new URL(request.url());
        sent.push({ method: request.method(), query: search, headers, body: (request.postDataJSON() ?? {}) as object });
        return route.fulfill({ status: 204 });
      });
      const ids = operationsOf(tag);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) {
        const block = await swaggerUi.operation(id);
        heights[id] = (await block.boundingBox())!.height;
        // Without a file, there is no request.
        if (id !== 'createFile') await swaggerUi.execute(id, ID);
        await block.locator('.opblock-summary-control').dispatchEvent('click');
      }
      expect(Object.entries(heights).filter(([, height]) => height > 2 * SCREEN.height)).toEqual([]);
      expect(sent).toHaveLength(ids.filter((id) => id !== 'createFile').length);
      await page.unroute(`${browser.url}/**`);
      for (const { method, query, headers, body } of sent) {
        expect([method, query, headers]).toEqual([method, '', []]);
        for (const field of method === 'PUT' ? ['password', 'roles'] : []) expect(body).not.toHaveProperty(field);
      }
    },
    120_000,
  );
});

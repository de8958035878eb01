import { PAGES } from '../../src/platform/http/openapi/markdown-pages';
import { until } from '../support/until';
import { Browser } from './browser';
import { SwaggerUi } from './swagger-ui';

describe('the other pages', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser?.stop());

  it.each(['', '/', '/catalog'])('%s leads a browser to the catalog page', async (path) => {
    const page = await browser.newPage();
    await page.goto(browser.url + path);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${browser.url}/catalog/`);
  });

  it('/docs/ leads a browser to Swagger UI', async () => {
    const page = await browser.newPage();
    const swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs/`);
    await swaggerUi.logIn();
    expect(page.url().replace(/#.*/, '')).toBe(`${browser.url}/docs`);
  });

  it('Swagger UI links to the error codes, which link back', async () => {
    const page = await browser.newPage();
    await SwaggerUi.open(page, `${browser.url}/docs`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'All error codes' }).first().click();
    const errors = await opened;
    expect(errors.url()).toBe(`${browser.url}/docs/errors`);
    await errors.getByRole('link', { name: 'Documentation' }).click();
    await errors.waitForURL(`${browser.url}/docs`);
  });

  it.each(Object.keys(PAGES))('/docs/%s fits a phone, in both colour schemes', async (name) => {
    const page = await browser.newPage();
    await page.goto(`${browser.url}/docs/${name}`);
    const colours = new Set<unknown>();
    for (const width of [320, 375, 720, 721])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        colours.add(await page.evaluate('getComputedStyle(document.body).color'));
        expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
      }
    expect(colours.size).toBe(2);
  });

  it('Swagger UI follows the colour scheme', async () => {
    const page = await browser.newPage();
    await SwaggerUi.open(page, `${browser.url}/docs`);
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(async () => (await ground()) !== light);
    expect(await page.locator('main').count()).toBe(1);
  });

  it('have no error in the console, violate no policy and request nothing from other hosts', () => {
    expect(browser.problems()).toEqual([]);
  });
});

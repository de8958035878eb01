import { Browser } from './browser';
import { SwaggerUi } from './swagger-ui';

describe('the other pages', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser?.stop());

  it.each(['', '/', '/docs/'])('%s leads a browser to Swagger UI', async (path) => {
    const page = await browser.newPage();
    const swaggerUi = await SwaggerUi.open(page, `${browser.url}${path}`);
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

  it('have no error in the console, violate no policy and request nothing from other hosts', () => {
    expect(browser.problems()).toEqual([]);
  });
});

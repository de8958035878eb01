import { Browser } from './browser';
import { SwaggerUi } from './swagger-ui';

describe('the other pages', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser?.stop());

  it.each(['', '/'])('GET /registry%s leads to "Log in" in Swagger UI', async (slash) => {
    const page = await browser.newPage();
    await page.goto(`${browser.url}${slash}`);
    await page.getByRole('link', { name: 'Swagger UI' }).click();
    await page.locator('#operations-sessions-createSession button.execute').waitFor();
  });

  it('/docs/ works as /docs does', async () => {
    const page = await browser.newPage();
    const swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs/`);
    await swaggerUi.logIn();
  });

  it('Swagger UI links to the error codes, and both link back', async () => {
    const page = await browser.newPage();
    await SwaggerUi.open(page, `${browser.url}/docs`);
    await page.getByText('How requests and responses work').click();
    await page.getByText('Authorization: Bearer <accessToken>').first().waitFor();
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'All error codes' }).first().click();
    const errors = await opened;
    await errors.getByText('Authorization: Bearer TOKEN').waitFor();
    expect(errors.url()).toBe(`${browser.url}/docs/errors`);
    await errors.getByRole('link', { name: 'Roster' }).click();
    await errors.waitForURL(`${browser.url}/`);
    await page.getByRole('link', { name: 'About this registry' }).click();
    await page.waitForURL(`${browser.url}/`);
  });

  it('have no error in the console, violate no policy and request nothing from other hosts', () => {
    expect(browser.problems()).toEqual([]);
  });
});

import type { Page, Response } from 'playwright-core';
import { AUDIENCE, newKey, OpenIdProvider } from '../platform/http/identity-provider/provider';
import { Browser } from './browser';
import { inPath, SwaggerUi } from './swagger-ui';

describe('a page with an identity provider', () => {
  let provider: OpenIdProvider;
  let browser: Browser;

  beforeAll(async () => {
    provider = await OpenIdProvider.start([newKey('key')]);
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENT_ID: 'swagger-ui' };
    const creates = { OIDC_CREATE_USERS: 'on', OIDC_COMPANY_NAME: 'Engines', ORGANIZATION_CREATION: 'admin' };
    browser = await Browser.start({ ...settings, ...creates, OIDC_SCOPE: 'openid registry' });
    const names = { username: 'grace', companyName: 'Compilers', email: 'grace@roster.example' };
    await browser.service.admin.post('/registry/users', { ...names, externalId: 'grace-there' });
  });
  afterAll(async () => {
    await browser?.stop();
    await provider?.stop();
  });

  /** Logs a person in. @returns the response with the tokens */
  async function logIn(page: Page, name: string): Promise<Response> {
    // A login of an earlier test.
    await page.context().clearCookies();
    await page.locator('.auth-wrapper .authorize').click();
    const dialog = page.locator('.auth-container', { hasText: 'Log in with your company account' });
    expect(await dialog.locator('input#client_id_authorizationCode').inputValue()).toBe('swagger-ui');
    const [popup] = await Promise.all([page.waitForEvent('popup'), dialog.locator('button.authorize').click()]);
    const exchanged = page.waitForResponse(`${provider.issuer}/token`);
    await popup.locator('input[name=login]').fill(name);
    await popup.locator('input[name=password]').fill('any');
    await popup.locator('button[type=submit]').click();
    await popup.locator('button[type=submit]', { hasText: 'Continue' }).click();
    return exchanged;
  }

  it('Swagger UI logs in there with PKCE, sends the access token, and Roster refuses the ID token', async () => {
    const page = await browser.newPage();
    const swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs`);
    const exchanged = await logIn(page, 'grace-there');
    expect(exchanged.request().postData()).toContain('code_verifier=');
    const tokens = (await exchanged.json()) as { access_token: string; id_token: string };
    await swaggerUi.closedLocks.first().waitFor();
    expect(await swaggerUi.openLocks.count()).toBe(await page.locator('.opblock[id$=LinkCurrent]').count());
    expect(await swaggerUi.execute('listUsers')).toBe('200');
    await page.locator('.live-responses-table').getByText('"grace-there"').waitFor();
    const send = (token: string) =>
      browser.service.nobody.get('/registry/users/me', { authorization: `Bearer ${token}` });
    expect((await send(tokens.access_token)).body.username).toBe('grace');
    expect((await send(tokens.id_token)).body.code).toBe(1101);
    const { headers } = await browser.service.nobody.get('/registry/docs');
    expect(headers['content-security-policy']).toContain(`; connect-src 'self' ${new URL(provider.issuer).origin}; `);
    expect(browser.consoleErrors).toEqual([]);
  });

  it('Swagger UI creates the account of a person without one, or says why it does not', async () => {
    const page = await browser.newPage();
    const swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs`);
    const created = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 201,
    );
    await logIn(page, 'ada-there');
    expect((await created).url()).toBe(`${browser.url}/users`);
    expect(await swaggerUi.execute('getUser', inPath('me'))).toBe('200');
    await page.locator('.live-responses-table').getByText('"ada-there@engines.example"').waitFor();
    const other = await browser.newPage();
    await SwaggerUi.open(other, `${browser.url}/docs`);
    await logIn(other, 'no address');
    await other.getByText('No account was created: the claim "email"').waitFor();
  });

  describe('the catalog page', () => {
    /** Logs a person in from the page, and comes back to it. */
    async function logInFrom(page: Page, name: string): Promise<void> {
      await page.context().clearCookies();
      await page.goto(`${browser.url}/catalog/#list=organizations`);
      await page.getByRole('button', { name: 'Log in with your company account' }).click();
      await page.locator('input[name=login]').fill(name);
      await page.locator('input[name=password]').fill('any');
      await page.locator('button[type=submit]').click();
      await page.locator('button[type=submit]', { hasText: 'Continue' }).click();
      await page.waitForURL(`${browser.url}/catalog/#**`);
    }

    it('logs in there with PKCE, comes back to the same view, and keeps the login across a reload', async () => {
      const page = await browser.newPage();
      await logInFrom(page, 'grace-there');
      await page.getByText('No results.').waitFor();
      await page.reload();
      await page.getByText('No results.').waitFor();
      expect(page.url()).toBe(`${browser.url}/catalog/#list=organizations`);
      expect(browser.consoleErrors.join()).not.toMatch(/policy|trusted/i);
    });

    it('creates the account of a person without one, or says why it does not', async () => {
      const page = await browser.newPage();
      await logInFrom(page, 'alan-there');
      await page.getByText('No results.').waitFor();
      expect((await browser.service.admin.get('/registry/users?username=alan-there')).body.data).toHaveLength(1);
      const other = await browser.newPage();
      await logInFrom(other, 'no address');
      await other.getByText('No account was created: the claim "email"').waitFor();
    });

    it('refuses a login that was not started in its tab', async () => {
      const page = await browser.newPage();
      await page.goto(`${browser.url}/catalog/?state=forged&code=stolen`);
      await page.getByText('This login was not started in this tab.').waitFor();
      expect(page.url()).toBe(`${browser.url}/catalog/`);
    });
  });
});

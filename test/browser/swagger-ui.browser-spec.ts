import type { Locator, Page } from 'playwright-core';
import type { CreatedApiKeyDto } from '../../src/registry/api-keys/api-key.dto';
import type { User } from '../../src/registry/users/user.schema';
import type { Client } from '../support/client';
import { organizationBody } from '../support/records';
import { ADMIN } from '../support/service';
import { png } from '../support/uploads.mjs';
import { Browser, SCREEN } from './browser';
import { inPath, SwaggerUi } from './swagger-ui';

const PHONE = { width: 390, height: 844 };
/** Ends the session, or is executed by the login. */
const NOT_EXECUTED = ['createSession', 'deleteSession', 'deleteUser'];
const PICTURE = { name: 'pixel.png', mimeType: 'image/png', buffer: png() };

/** Fills in the form of any operation: its record does not exist, or is not valid. */
async function enter(block: Locator): Promise<void> {
  await inPath('65f5f0a2c3d4e5f60718293b')(block);
  const box = block.locator('textarea');
  if ((await box.count()) > 0) await box.fill('{ "name": "edited" }');
  const file = block.locator('input[type=file]');
  if ((await file.count()) > 0) await file.setInputFiles(PICTURE);
}

describe('Swagger UI', () => {
  let browser: Browser;
  let page: Page;
  let swaggerUi: SwaggerUi;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser?.stop());

  /** Every test has its own tab, and is not logged in. */
  beforeEach(async () => {
    page = await browser.newPage();
    swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs`);
  });
  afterEach(() => page.close());

  /** The Admin's sessions, without that of the test client. */
  const sessions = async (): Promise<string[]> => {
    const { service } = browser;
    const user = await service.stored<User>('User', service.admin.id);
    return user!.sessions.map(({ _id }) => String(_id)).filter((id) => id !== service.admin.session._id);
  };

  const createKey = async (admin: Client): Promise<CreatedApiKeyDto> => {
    const body = { name: 'Swagger UI', scope: 'read', currentPassword: ADMIN.password };
    return (await admin.post('/registry/users/me/api-keys', body)).body.data as CreatedApiKeyDto;
  };

  it('closes every lock but those of links after a login, shows no password, and keeps the focus', async () => {
    const locks = await swaggerUi.openLocks.count();
    expect(locks).toBeGreaterThan(20);
    await swaggerUi.logIn();
    const ofLinks = await page.locator('.opblock[id$=LinkCurrent]').count();
    const [open, closed] = [await swaggerUi.openLocks.count(), await swaggerUi.closedLocks.count()];
    expect({ open, closed }).toEqual({ open: ofLinks, closed: locks - ofLinks });
    const block = await swaggerUi.operation('createSession');
    expect(await block.getByLabel('Password').inputValue()).toBe('');
    expect(await block.locator('.curl').innerText()).not.toContain(ADMIN.password);
    expect(await block.locator(':focus').count()).toBe(1);
  });

  it('logs in by an e-mail address too, also while the filter hides the form', async () => {
    await page.locator('.operation-filter-input').fill('managers');
    await page.locator('#operations-sessions-createSession').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await swaggerUi.logIn(ADMIN.email);
  });

  it('keeps the tokens in memory: a reload ends the login', async () => {
    await swaggerUi.logIn();
    const stored = await page.evaluate(
      'dispatchEvent(new Event("pagehide")), ({ ...sessionStorage, ...localStorage })',
    );
    expect(stored).toEqual({});
    await page.reload();
    await swaggerUi.loaded();
    expect(await swaggerUi.closedLocks.count()).toBe(0);
  });

  it('fits the screens of a phone and a computer, and shows each response and its status there', async () => {
    const fits = async (id: string, size: typeof SCREEN): Promise<void> => {
      await page.setViewportSize(size);
      const block = await swaggerUi.operation(id);
      if (!NOT_EXECUTED.includes(id)) {
        await swaggerUi.execute(id, enter);
        expect(await block.locator('button.execute:focus').count()).toBe(1);
        const status = block.locator('.live-responses-table .response-col_status').last();
        expect([id, await swaggerUi.isInView(status)]).toEqual([id, true]);
      }
      expect([id, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([id, size.width]);
      await block.locator('.opblock-summary-control').dispatchEvent('click');
    };
    await swaggerUi.logIn();
    for (const id of await swaggerUi.operationIds()) await fits(id, PHONE);
    for (const id of ['listOrganizations', 'updateOrganization', 'createFile']) await fits(id, SCREEN);
    expect(browser.consoleErrors.splice(0).filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
  });

  it.each([
    ['PUT', ['updateOrganization', 'getOrganization']],
    ['GET', ['getOrganization', 'updateOrganization']],
  ])(
    'fills in a PUT from the record that was read, if the block of the %s was opened first',
    async (_first, opened) => {
      const { admin } = browser.service;
      const { _id, ...created } = (await admin.post('/registry/organizations', organizationBody())).body.data;
      await swaggerUi.logIn();
      if (opened[0] === 'updateOrganization') {
        const put = await swaggerUi.operation('updateOrganization');
        expect(await put.locator('textarea.body-param__text').inputValue()).toBe('{}');
      }
      expect(await swaggerUi.execute('getOrganization', inPath(_id))).toBe('200');
      const put = await swaggerUi.operation('updateOrganization');
      const box = put.locator('textarea.body-param__text');
      await box.and(page.getByText(created.name)).waitFor();
      expect(JSON.parse(await box.inputValue())).toMatchObject({ name: created.name, url: created.url });
      const input = (name: string) => put.locator(`tr[data-param-name="${name}"] input`).inputValue();
      expect([await input('id'), await input('If-Match')]).toEqual([_id, expect.stringMatching(/^"[\w-]+"$/)]);
      for (const status of ['200', '200']) expect(await swaggerUi.execute('updateOrganization')).toBe(status);
    },
  );

  it('ends the session with "Logout", or says that it has not ended', async () => {
    for (const isRefused of [false, true]) {
      await swaggerUi.logIn();
      const [session] = (await sessions()).slice(-1);
      if (isRefused) await page.route(`${browser.url}/sessions/*`, (route) => route.fulfill({ status: 503 }));
      const ended = page.waitForResponse((response) => response.url().endsWith(`/sessions/${session}`));
      await page.locator('.auth-wrapper .authorize').click();
      await page.getByRole('button', { name: 'Remove authorization' }).click();
      await page.locator('.auth-container .btn-done').first().click();
      expect((await ended).status()).toBe(isRefused ? 503 : 204);
      expect(await swaggerUi.closedLocks.count()).toBe(0);
      expect((await sessions()).includes(session!)).toBe(isRefused);
    }
    await page.getByText('Your session has not ended').waitFor();
    expect(browser.consoleErrors.splice(0)).toEqual([expect.stringContaining('503')]);
  });

  it.each<[string, (admin: Client) => Promise<string>]>([
    ['access token', (admin) => Promise.resolve(admin.token)],
    ['API key', async (admin) => (await createKey(admin)).key],
  ])('accepts an %s that is pasted', async (_credential, of) => {
    await swaggerUi.paste(await of(browser.service.admin));
    expect(await swaggerUi.execute('listOrganizations')).toBe('200');
  });

  it('sets a password with the token of a link that is pasted, logged in or not', async () => {
    const { service, url } = browser;
    const { id, user } = await service.account();
    const logIn = page.getByRole('button', { name: 'Log in', exact: true });
    for (const isLoggedIn of [false, true]) {
      const { body } = await service.admin.post(`/registry/users/${id}/password-links`);
      if (isLoggedIn) await swaggerUi.logIn();
      await swaggerUi.paste(body.data.token as string, 'link');
      expect(await logIn.isVisible()).toBe(!isLoggedIn);
      expect(await swaggerUi.execute('getLinkCurrent')).toBe('200');
      const password = `set by a link, ${isLoggedIn}`;
      const enterIt = (block: Locator) => block.locator('textarea').fill(JSON.stringify({ password }));
      expect(await swaggerUi.execute('createLinkCurrent', enterIt)).toBe('201');
      await fetch(`${url}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: user.username, password }),
      }).then(({ status }) => expect(status).toBe(201));
      await page.reload();
      await swaggerUi.loaded();
    }
  });

  it('refreshes the tokens once they expire, until the session has ended; then it is logged out', async () => {
    await page.clock.install();
    await page.reload();
    await swaggerUi.loaded();
    await swaggerUi.logIn();
    const response = page.waitForResponse((one) => one.url() === `${browser.url}/tokens`);
    await page.clock.setSystemTime(Date.now() + 3_600_000);
    const requested = page.waitForRequest((request) => request.url() === `${browser.url}/organizations`);
    expect(await swaggerUi.execute('listOrganizations')).toBe('200');
    const { data } = (await (await response).json()) as { data: { accessToken: string } };
    expect((await requested).headers()).toMatchObject({ authorization: `Bearer ${data.accessToken}` });
    await browser.service.model<User>('User').updateOne({ username: ADMIN.username }, { sessions: [] });
    expect(await swaggerUi.execute('listUsers')).toBe('401');
    await swaggerUi.openLocks.first().waitFor();
    expect(browser.consoleErrors.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('creates a User from the example, and uploads a File and shows the image', async () => {
    await swaggerUi.logIn();
    expect(await swaggerUi.execute('createUser')).toBe('201');
    const choose = (block: Locator) => block.locator('input[type=file]').setInputFiles(PICTURE);
    expect(await swaggerUi.execute('createFile', choose)).toBe('201');
    const file = await browser.service.model<{ _id: unknown }>('File').findOne().sort({ _id: -1 }).lean();
    expect(await swaggerUi.execute('getFile', inPath(String(file!._id)))).toBe('200');
    const reading = await swaggerUi.operation('getFile');
    const shown = reading.locator('.live-responses-table img');
    await shown.waitFor();
    expect(await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
  });

  it('shows where the focus is', async () => {
    await swaggerUi.operation('createOrganization');
    await page.locator('.operation-filter-input').focus();
    const seen = new Set<string>();
    while (!seen.has('TEXTAREA')) {
      const [tag, outline] = await page.evaluate<[string, string]>(
        '[document.activeElement.tagName, getComputedStyle(document.activeElement).outline]',
      );
      seen.add(tag);
      expect([tag, outline]).toEqual([tag, expect.stringMatching(/ solid 3px$/)]);
      await page.keyboard.press('Tab');
    }
  });

  it('has no error in the console, violates no policy and requests nothing from other hosts', () => {
    expect(browser.problems()).toEqual([]);
  });
});

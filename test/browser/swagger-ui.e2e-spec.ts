import type { Locator, Page, Route } from 'playwright-core';
import type { CreatedApiKeyDto } from '../../src/registry/api-keys/api-key.dto';
import type { User } from '../../src/registry/users/user.schema';
import type { Client } from '../support/client';
import { png } from '../support/uploads.mjs';
import { organizationBody } from '../support/records';
import { ADMIN } from '../support/service';
import { Browser, SCREEN } from './browser';
import { inPath, SwaggerUi } from './swagger-ui';

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

  it('shows "Log in" and the first operations, which are those of Organizations and APIs, without scrolling', async () => {
    const tags = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')));
    expect(tags.slice(0, 2)).toEqual(['organizations', 'apis']);
    const logIn = page.getByRole('button', { name: 'Log in', exact: true });
    for (const shown of [logIn, ...[0, 1, 2].map((place) => page.locator('.opblock').nth(place))])
      expect(await swaggerUi.isInView(shown)).toBe(true);
  });

  it('shows no password after a login, but who is logged in, and keeps the focus', async () => {
    await swaggerUi.logIn();
    const block = await swaggerUi.operation('createSession');
    expect(await block.getByLabel('Password').inputValue()).toBe('');
    expect(await block.locator('.curl').innerText()).not.toContain(ADMIN.password);
    expect(await block.locator(':focus').count()).toBe(1);
    const { y } = (await page.getByText(`Logged in as ${ADMIN.username}`).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThan(SCREEN.height);
  });

  it('fills in the form of a PUT only from a record that was read', async () => {
    const { admin } = browser.service;
    const { _id, ...created } = (await admin.post('/registry/organizations', organizationBody())).body.data;
    await swaggerUi.logIn();
    const put = await swaggerUi.operation('updateOrganization');
    const box = put.locator('textarea.body-param__text');
    expect(await box.inputValue()).toBe('{}');
    expect(await swaggerUi.execute('getOrganization', inPath(_id))).toBe('200');
    await box.and(page.getByText(created.name)).waitFor();
    expect(JSON.parse(await box.inputValue())).toMatchObject({ name: created.name, url: created.url });
    const input = (name: string) => put.locator(`tr[data-param-name="${name}"] input`).inputValue();
    expect([await input('id'), await input('If-Match')]).toEqual([_id, expect.stringMatching(/^"[\w-]+"$/)]);
    for (const status of ['200', '200']) expect(await swaggerUi.execute('updateOrganization')).toBe(status);
  });

  it('begins the forms of lists with q, and shows what it finds', async () => {
    for (const [name, url] of [
      ['Harbour Office', 'https://harbour.example'],
      ['Harbour Pilots', 'https://pilots.example'],
    ]) {
      const body = { name, url, description: `We publish what the ${name} knows.` };
      await browser.service.admin.post('/registry/organizations', body);
    }
    await swaggerUi.logIn();
    const block = await swaggerUi.operation('listOrganizations');
    const first = block.locator('tr[data-param-in]').first();
    expect(await first.getAttribute('data-param-name')).toBe('q');
    await first.locator('input').fill('harbour');
    expect(await swaggerUi.execute('listOrganizations')).toBe('200');
    await block.locator('.live-responses-table').getByText('"Harbour Pilots"').waitFor();
  });

  it('shows the schema of a body with its name and fields', async () => {
    const block = await swaggerUi.operation('createOrganization');
    await block.getByRole('tab', { name: 'Schema' }).first().click();
    for (const name of ['OrganizationInput', 'contactEmail'])
      await block.getByText(name, { exact: true }).first().waitFor();
  });

  it('filters the operations', async () => {
    await page.locator('.operation-filter-input').fill('managers');
    await page.locator('#operations-sessions-createSession').waitFor({ state: 'detached' });
    expect((await swaggerUi.operationIds()).filter((id) => !/Manager/.test(id))).toEqual([]);
    await page.locator('#operations-managers-listOrganizationManagers').waitFor();
  });

  it('closes every lock after a login, also after a reload, and keeps the tokens for this tab only', async () => {
    const locks = await swaggerUi.openLocks.count();
    expect(locks).toBeGreaterThan(20);
    await swaggerUi.logIn();
    expect([await swaggerUi.openLocks.count(), await swaggerUi.closedLocks.count()]).toEqual([0, locks]);
    await page.reload();
    await swaggerUi.loaded();
    await swaggerUi.closedLocks.first().waitFor();
    expect(await swaggerUi.execute('listOrganizations')).toBe('200');
    const { tab, all } = await swaggerUi.stored();
    expect([Object.keys(tab), Object.keys(all)]).toEqual([['roster.login'], []]);
  });

  it('does not share its tokens with a copy of the tab: a refresh token can be used once', async () => {
    await swaggerUi.logIn();
    const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate('void open(location.href)')]);
    await new SwaggerUi(copy).loaded();
    expect(await new SwaggerUi(copy).execute('listSessions')).toBe('401');
    await copy.close();
  });

  it('"Log out" opens the locks, deletes the tokens and ends the session', async () => {
    await swaggerUi.logIn();
    const [session] = (await sessions()).slice(-1);
    const ended = page.waitForResponse((response) => response.url().endsWith(`/sessions/${session}`));
    await page.getByText('Log out', { exact: true }).click();
    expect((await ended).status()).toBe(204);
    expect(await swaggerUi.closedLocks.count()).toBe(0);
    expect(await swaggerUi.stored()).toEqual({ tab: {}, all: {} });
    expect(await sessions()).not.toContain(session);
  });

  it('says so when "Log out" cannot end the session', async () => {
    await swaggerUi.logIn();
    await page.route(`${browser.url}/sessions/*`, (route) => route.fulfill({ status: 503 }));
    await page.getByText('Log out', { exact: true }).click();
    await page.getByText('Your session has not ended').waitFor();
    expect(browser.consoleErrors.splice(0)).toEqual([expect.stringContaining('503')]);
  });

  it('is logged out when its session is deleted', async () => {
    await swaggerUi.logIn();
    const [session] = (await sessions()).slice(-1);
    const block = await swaggerUi.operation('deleteSession');
    await block.locator('tr[data-param-name=id] input').fill(session!);
    expect(await swaggerUi.execute('deleteSession')).toBe('204');
    expect(await swaggerUi.closedLocks.count()).toBe(0);
    expect(await swaggerUi.stored()).toEqual({ tab: {}, all: {} });
  });

  it.each<[string, (admin: Client) => Promise<string>]>([
    ['access token', (admin) => Promise.resolve(admin.token)],
    ['API key', async (admin) => (await createKey(admin)).key],
  ])('accepts an %s that is pasted, and keeps it over a reload', async (_credential, of) => {
    await swaggerUi.paste(await of(browser.service.admin));
    await page.reload();
    await swaggerUi.loaded();
    await swaggerUi.closedLocks.first().waitFor();
    expect(await swaggerUi.execute('listOrganizations')).toBe('200');
  });

  it('stays logged in when the session of an earlier token has ended', async () => {
    await swaggerUi.paste(browser.service.admin.token);
    const sent = new Promise<Route>((resolve) => void page.route(`${browser.url}/organizations`, resolve));
    const status = swaggerUi.execute('listOrganizations');
    const request = await sent;
    await swaggerUi.logIn();
    await request.fulfill({ status: 401, json: { status: 'fail', code: 1102, message: 'No.' } });
    expect(await status).toBe('401');
    expect(await swaggerUi.openLocks.count()).toBe(0);
    expect(browser.consoleErrors.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  describe('refreshes the tokens', () => {
    beforeEach(async () => {
      await page.clock.install();
      await page.reload();
      await swaggerUi.loaded();
      await swaggerUi.logIn();
    });

    const tokens = async (): Promise<string | undefined> => (await swaggerUi.stored()).tab['roster.login'];
    const refreshed = () => page.waitForResponse((response) => response.url() === `${browser.url}/tokens`);

    it('before they expire, without a request', async () => {
      const before = await tokens();
      const response = refreshed();
      await page.clock.fastForward('13:00');
      expect((await response).status()).toBe(201);
      // `page.waitForFunction` would use eval, which the page's policy forbids.
      while ([undefined, before].includes(await tokens()));
    });

    it('before a request, if the computer was asleep', async () => {
      const response = refreshed();
      await page.clock.setSystemTime(Date.now() + 3_600_000);
      const requested = page.waitForRequest((request) => request.url() === `${browser.url}/organizations`);
      expect(await swaggerUi.execute('listOrganizations')).toBe('200');
      const { data } = (await (await response).json()) as { data: { accessToken: string } };
      expect((await requested).headers()).toMatchObject({ authorization: `Bearer ${data.accessToken}` });
    });

    it('before the next request, if a refresh has failed', async () => {
      await page.route(`${browser.url}/tokens`, (route) => route.fulfill({ status: 503 }), { times: 1 });
      const json = { status: 'fail', code: 1101, message: 'The access token has expired.' };
      await page.route(`${browser.url}/organizations`, (route) => route.fulfill({ status: 401, json }));
      await page.clock.setSystemTime(Date.now() + 3_600_000);
      expect(await swaggerUi.execute('listOrganizations')).toBe('401');
      const response = refreshed();
      expect(await swaggerUi.execute('listSessions')).toBe('200');
      expect((await response).status()).toBe(201);
      expect(browser.consoleErrors.splice(0)).toEqual(['503', '401'].map((status) => expect.stringContaining(status)));
    });

    it('until the session has ended; then it is logged out', async () => {
      await browser.service.model<User>('User').updateOne({ username: ADMIN.username }, { sessions: [] });
      await page.clock.fastForward('13:00');
      await swaggerUi.openLocks.first().waitFor();
      expect(await swaggerUi.stored()).toEqual({ tab: {}, all: {} });
      expect(browser.consoleErrors.splice(0)).toEqual([expect.stringContaining('401')]);
    });
  });

  it('creates a User from the example, and uploads a File and shows the image', async () => {
    await swaggerUi.logIn();
    expect(await swaggerUi.execute('createUser')).toBe('201');
    const picture = { name: 'pixel.png', mimeType: 'image/png', buffer: png() };
    const choose = (block: Locator) => block.locator('input[type=file]').setInputFiles(picture);
    expect(await swaggerUi.execute('createFile', choose)).toBe('201');
    const file = await browser.service.model<{ _id: unknown }>('File').findOne().lean();
    expect(await swaggerUi.execute('getFile', inPath(String(file!._id)))).toBe('200');
    const reading = await swaggerUi.operation('getFile');
    const shown = reading.locator('.live-responses-table img');
    await shown.waitFor();
    expect(await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
  });

  it('has no error in the console, violates no policy and requests nothing from other hosts', () => {
    expect(browser.problems()).toEqual([]);
  });
});

import type { Locator, Page } from 'playwright-core';
import { png } from '../support/uploads.mjs';
import { ADMIN } from '../support/service';
import { Browser, SCREEN } from './browser';
import { inPath, SwaggerUi } from './swagger-ui';

/** A telephone, and the screen of a computer. */
const SIZES = [{ width: 390, height: 844 }, SCREEN];
/** Ends the session, or is executed by the login. */
const NOT_EXECUTED = ['createSession', 'deleteSession', 'deleteUser'];

/** Fills in the form of any operation: its record does not exist, or is not valid. */
async function enter(block: Locator): Promise<void> {
  await inPath('65f5f0a2c3d4e5f60718293b')(block);
  const box = block.locator('textarea');
  if ((await box.count()) > 0) await box.fill('{ "name": "edited" }');
  const file = block.locator('input[type=file]');
  if ((await file.count()) > 0) await file.setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: png() });
}

describe('the forms of Swagger UI', () => {
  let browser: Browser;
  let page: Page;
  let swaggerUi: SwaggerUi;

  beforeAll(async () => {
    browser = await Browser.start();
  });
  afterAll(() => browser?.stop());

  beforeEach(async () => {
    page = await browser.newPage();
    swaggerUi = await SwaggerUi.open(page, `${browser.url}/docs`);
  });
  afterEach(() => page.close());

  it('fit the screens of a phone and a computer, and show each response and its status there', async () => {
    await swaggerUi.logIn();
    for (const id of await swaggerUi.operationIds()) {
      const block = await swaggerUi.operation(id);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        if (!NOT_EXECUTED.includes(id)) {
          const status = await swaggerUi.execute(id, size === SIZES[0] ? enter : undefined);
          expect(await block.getByRole('status').textContent()).toMatch(new RegExp(`^${status} `));
          expect(await block.locator('button.execute:focus').count()).toBe(1);
          const isInView = await swaggerUi.isInView(block.locator('.live-responses-table'));
          expect([id, size, isInView]).toEqual([id, size, true]);
        }
        expect([id, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([id, size.width]);
      }
      await block.locator('.opblock-summary-control').dispatchEvent('click');
    }
  });

  it('of the login takes an e-mail address too, also while the filter hides it', async () => {
    await page.locator('.operation-filter-input').fill('managers');
    await page.locator('#operations-sessions-createSession').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await swaggerUi.logIn(ADMIN.email);
  });

  it('say why a request is not sent', async () => {
    const read = await swaggerUi.operation('getUser');
    await read.locator('button.execute').click();
    await read.getByRole('status').getByText("Not sent. For 'id'").waitFor();
    const create = await swaggerUi.operation('createOrganization');
    await create.locator('textarea').fill('');
    await create.locator('button.execute').click();
    await create.getByRole('status').getByText('Not sent. The request body').waitFor();
  });

  it('name every field and button', async () => {
    const operations = page.locator('.opblock-summary-control');
    await operations.evaluateAll((all) => all.forEach((one) => (one as unknown as { click(): void }).click()));
    await page
      .locator('button.execute')
      .nth((await operations.count()) - 1)
      .waitFor();
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const controls = nodes.filter(({ role }) =>
      ['textbox', 'combobox', 'listbox', 'button'].includes(role?.value as string),
    );
    expect(controls.length).toBeGreaterThan(200);
    expect(controls.filter(({ ignored, name }) => !ignored && !name?.value)).toEqual([]);
    for (const label of ['Filter the operations by tag or path', 'Request body (JSON)'])
      await page.getByLabel(label).first().waitFor();
  });

  it('show where the focus is', async () => {
    await swaggerUi.operation('listOrganizations');
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
    expect([...seen]).toEqual(expect.arrayContaining(['A', 'BUTTON', 'INPUT', 'SELECT', 'TEXTAREA']));
  });

  it('copy the etag of a list’s item as If-Match takes it, and other text as it is', async () => {
    await swaggerUi.logIn();
    await swaggerUi.execute('listUsers');
    const response = (await swaggerUi.operation('listUsers')).locator('.live-responses-table .highlight-code');
    const [, etag] = /"etag": ("\\"[^"]+\\"")/.exec(await response.innerText())!;
    await page.evaluate(
      'document.addEventListener("copy", (event) => { window.copied = event.clipboardData.getData("text/plain") || String(getSelection()); })',
    );
    const copied = async (text: string, clickCount: number): Promise<unknown> => {
      await response.getByText(text, { exact: true }).first().click({ clickCount });
      await page.keyboard.press('Control+c');
      return page.evaluate('window.copied');
    };
    for (const clicks of [2, 3]) expect(await copied(etag!, clicks)).toBe(JSON.parse(etag!));
    expect(await copied('"admin"', 2)).toMatch(/^"?admin"?$/);
  });

  it('have no error in the console but those of refused requests', () => {
    expect(browser.problems().filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
  });
});

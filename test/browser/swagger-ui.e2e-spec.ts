import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserContext, chromium, Page } from 'playwright-core';
import { png } from '../support/images';
import { Service, startService } from '../support/service';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

// In CI a missing browser fails the test.
const inBrowser = CHROMIUM === undefined && !process.env.CI ? describe.skip : describe;
const title = CHROMIUM === undefined ? 'Swagger UI (needs chromium: apt-get install chromium)' : 'Swagger UI';

/** For root (no sandbox), and without requests to the hosts of the browser's vendor. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

inBrowser(title, () => {
  let service: Service;
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  /** The hosts that were requested, and the errors in the console. */
  const requested = new Set<string>();
  const consoleErrors: string[] = [];

  beforeAll(async () => {
    service = await startService();
    profile = await mkdtemp(join(tmpdir(), 'roster-browser-'));
    browser = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, args: ARGUMENTS });
    page = await browser.newPage();
    page.on('request', (request) => requested.add(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text());
    });
    page.on('pageerror', (error) => consoleErrors.push(error.message));
    await page.goto(`${await service.url()}/docs`);
    await page.getByText('List Organizations').waitFor();
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    if (profile) await rm(profile, { recursive: true, force: true });
  });

  it('keeps the access token over a reload', async () => {
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.auth-container input').fill(service.admin.token);
    await page.locator('.auth-container button.authorize').click();
    await page.reload();
    await page.getByText('List Organizations').waitFor();
    await page.locator('.auth-wrapper .authorize.locked').waitFor();
  });

  it('executes an operation with the access token', async () => {
    expect(await execute('listOrganizations')).toBe('200');
  });

  it('creates a User from the example', async () => {
    expect(await execute('createUser')).toBe('201');
    expect(await service.model('User').exists({ username: 'ada' })).not.toBeNull();
  });

  it('uploads a File and shows the image', async () => {
    const upload = await operation('createFile');
    const picture = { name: 'pixel.png', mimeType: 'image/png', buffer: png() };
    await upload.locator('input[type=file]').setInputFiles(picture);
    expect(await execute('createFile')).toBe('201');
    const file = await service.model<{ _id: unknown }>('File').findOne().lean();
    const reading = await operation('getFile');
    await reading.locator('tr[data-param-name=id] input').fill(String(file!._id));
    expect(await execute('getFile')).toBe('200');
    const shown = reading.locator('.live-responses-table img');
    await shown.waitFor();
    expect(await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
  });

  it('requests nothing from other hosts and does not violate its policy', async () => {
    const { origin } = new URL(await service.url());
    expect([...requested].filter((one) => one !== origin && one !== 'null')).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  /** Opens the block of an operation. */
  async function operation(id: string): Promise<ReturnType<Page['locator']>> {
    const block = page.locator(`.opblock[id$=${id}]`);
    const isOpen = await block.locator('.opblock-body').count();
    if (isOpen === 0) await block.locator('.opblock-summary-control').click();
    await block.locator('button.execute').waitFor();
    return block;
  }

  /** Executes an operation. @returns the status of the response, as the page shows it */
  async function execute(id: string): Promise<string> {
    const block = await operation(id);
    await block.locator('button.execute').click();
    const status = block.locator('.live-responses-table .response-col_status').last();
    await status.waitFor();
    return ((await status.textContent()) ?? '').trim().slice(0, 3);
  }
});

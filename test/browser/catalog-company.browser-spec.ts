import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN } from '../support/service';
import { screenshot } from './browser';
import { useCatalog } from './catalog-page';

const world = useCatalog();
/** A Manager of the example company, with the password that `npm run seed` prints. */
const AMINA = { username: 'amina', password: 'a demo of the registry' };

beforeAll(async () => {
  const { service } = world.browser;
  const env = { ...process.env, ROSTER: `${await service.url()}/registry`, PASSWORD: ADMIN.password };
  await promisify(execFile)('node', ['examples/demo/fill.mjs'], { env });
});

it('the catalog shows the end, the contact and the users of each API of the example company', async () => {
  const catalog = await world.openWithKey('#q=pay');
  const { page, record } = catalog;
  await page.setViewportSize({ width: 1280, height: 800 });
  await catalog.show('Card Payments');
  await catalog.below('Who uses it').nth(2).waitFor();
  expect(await catalog.widthOfLogo()).toBe(128);
  await record.getByText(/^ends /).waitFor();
  await record.getByRole('link', { name: 'Card Payments 2' }).waitFor();
  await screenshot(page, 'catalog');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('link', { name: 'Payments', exact: true }).first().click();
  await catalog.below('APIs').nth(2).waitFor();
  await catalog.widthOfLogo();
  await screenshot(page, 'catalog-dark');
});

it('the catalog shows a Manager who changed what in an API', async () => {
  const catalog = await world.openAs(AMINA, '#list=apis&q=refunds&mine=1');
  const { page, record, status } = catalog;
  await page.setViewportSize({ width: 1280, height: 800 });
  await catalog.show('Refunds');
  for (const [label, value] of [
    ['Version', '1.5'],
    ['Ends on', `${new Date().getFullYear() + 1}-06-30`],
    ['Contact', 'Amina'],
  ] as const) {
    await record.getByRole('button', { name: 'Edit' }).click();
    await record.getByLabel(label, { exact: true }).fill(value);
    await record.getByRole('button', { name: 'Save' }).click();
    await record.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
  }
  await catalog.below('History').nth(3).waitFor();
  await record.getByRole('button', { name: 'Still right' }).click();
  await catalog.below('History').nth(4).waitFor();
  expect((await catalog.below('History').allInnerTexts()).join()).toMatch(/amina\s+Reviewed.*amina\s+Contact/s);
  await status.filter({ hasNotText: /./ }).waitFor({ state: 'attached' });
  await catalog.below('History').last().scrollIntoViewIfNeeded();
  await screenshot(page, 'catalog-history');
});

it('the catalog shows an Organization of the company that says nothing of itself, also on a phone', async () => {
  const catalog = await world.openAs(ADMIN, '#list=organizations&q=supplier');
  const { page } = catalog;
  await page.setViewportSize({ width: 320, height: 700 });
  await catalog.items.getByRole('link').click();
  await catalog.below('APIs').getByText('design').waitFor();
  await catalog.below('Managers').getByRole('link', { name: 'lena@brackenholt.example' }).waitFor();
  expect(await catalog.record.innerText()).not.toMatch(/null|undefined/);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${world.address}#list=apis&status=deprecated`);
  await catalog.items.nth(1).waitFor();
  await screenshot(page, 'catalog-phone');
});

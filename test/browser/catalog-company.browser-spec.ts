import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN } from '../support/service';
import { screenshot } from './browser';
import { useCatalog } from './catalog-page';

const world = useCatalog();

it('the catalog shows the end, the contact and the users of each API of the example company', async () => {
  const { service } = world.browser;
  const env = { ...process.env, ROSTER: `${await service.url()}/registry`, PASSWORD: ADMIN.password };
  await promisify(execFile)('node', ['examples/demo/fill.mjs'], { env });
  const catalog = await world.openWithKey();
  await catalog.page.setViewportSize({ width: 1280, height: 800 });
  await catalog.show('Card Payments');
  await catalog.below('Who uses it').nth(2).waitFor();
  expect(await catalog.widthOfLogo()).toBe(128);
  await catalog.record.getByText(/^ends /).waitFor();
  await catalog.record.getByRole('link', { name: 'Card Payments 2' }).waitFor();
  await screenshot(catalog.page, 'catalog');
});

it('the catalog shows an Organization of the company that says nothing of itself, also on a phone', async () => {
  const catalog = await world.open('#list=organizations&q=supplier');
  await catalog.logIn(ADMIN.username, ADMIN.password);
  await catalog.page.setViewportSize({ width: 320, height: 700 });
  await catalog.items.getByRole('link').click();
  await catalog.below('APIs').getByText('design').waitFor();
  await catalog.below('Managers').getByRole('link', { name: 'lena@brackenholt.example' }).waitFor();
  expect(await catalog.record.innerText()).not.toMatch(/null|undefined/);
  expect(await catalog.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

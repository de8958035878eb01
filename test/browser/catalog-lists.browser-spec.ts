import { backdate, newUserBody } from '../support/records';
import type { Shown } from '../support/scene';
import { ADMIN } from '../support/service';
import { accessibilityProblems } from './browser';
import { type CatalogPage, useCatalog } from './catalog-page';

const world = useCatalog();
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Written from right to left, and as wide as a name can be. */
const WIDE = { name: `מאגר ${'נמלים'.repeat(40)}`, description: 'تصف ميناء', version: '١٫٢' };

let manager: Awaited<ReturnType<typeof world.newManager>>;
let own: Shown;

beforeAll(async () => {
  manager = await world.newManager({ name: 'Quays' });
  const others = await world.newOrganization({ name: 'Nets', contactName: 'Net desk' });
  const contact = { contactEmail: 'desk@quays.example' };
  own = await world.newApi(manager.organization, { ...contact, name: 'Berths', tags: ['ships', 'sea'] });
  const deprecated = { lifecycleStatus: 'deprecated', tags: ['ships'] };
  await world.newApi(others, { ...deprecated, name: 'Arrivals', sunsetAt: inDays(80) });
  await world.newApi(others, { ...deprecated, name: 'Boats', sunsetAt: inDays(20) });
  await world.newApi(others, { name: 'Canals', sunsetAt: inDays(200), tags: ['sea'] });
  await world.newApi(others, WIDE);
});

describe('the catalog', () => {
  const names = async ({ page, items }: CatalogPage): Promise<string[]> => {
    await page.locator('#list:not([aria-busy=true])').waitFor();
    return items.locator('> a').allInnerTexts();
  };
  const filtered = async (catalog: CatalogPage, hash: string): Promise<string[]> => {
    await catalog.page.waitForURL(`${world.address}${hash}`);
    return names(catalog);
  };

  it('filters by status, tag, end and what the account manages, each with an address and a way back', async () => {
    const catalog = await world.openAs(manager.user);
    const { page } = catalog;
    await catalog.items.nth(4).waitFor();
    await page.getByLabel('Status').selectOption('deprecated');
    expect(await filtered(catalog, '#list=apis&status=deprecated')).toEqual(['Arrivals', 'Boats']);
    await page.getByRole('combobox', { name: 'End', exact: true }).selectOption('Ends within 90 days');
    expect(await filtered(catalog, '#list=apis&status=deprecated&ends=90')).toEqual(['Boats', 'Arrivals']);
    await page.getByLabel('Status').selectOption('Any');
    await page.getByRole('combobox', { name: 'End', exact: true }).selectOption('Ends within a year');
    expect(await filtered(catalog, '#list=apis&ends=365')).toEqual(['Boats', 'Arrivals', 'Canals']);
    await catalog.items.getByRole('link', { name: 'ships' }).first().click();
    expect(await filtered(catalog, '#list=apis&tag=ships')).toEqual(['Arrivals', 'Berths', 'Boats']);
    expect(await page.getByLabel('Tag').inputValue()).toBe('ships');
    await page.getByLabel('Mine').check();
    expect(await filtered(catalog, '#list=apis&tag=ships&mine=1')).toEqual(['Berths']);
    await page.goBack();
    expect(await filtered(catalog, '#list=apis&tag=ships')).toEqual(['Arrivals', 'Berths', 'Boats']);
    expect(await page.getByLabel('Mine').isChecked()).toBe(false);
    await page.getByLabel('Tag').fill('sea');
    expect(await filtered(catalog, '#list=apis&tag=sea')).toEqual(['Berths', 'Canals']);
    expect(
      await page.locator('#tags option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    ).toEqual(['sea', 'ships']);
  });

  it.each([
    ['#list=apis', 'Arrivals'],
    ['#list=organizations&mine=1', 'Quays'],
    ['#list=attention', 'Not changed for a year'],
  ])('fits a phone and has what a screen reader needs at %s', async (hash, text) => {
    const catalog = await world.open();
    const { page } = catalog;
    expect(await accessibilityProblems(page)).toEqual([]);
    await catalog.logIn(manager.user.username, manager.user.password);
    await page.goto(world.address + hash);
    await page.getByText(text, { exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('fits a phone with a record of its Manager, and has what a screen reader needs', async () => {
    const catalog = await world.openAs(manager.user, `#show=apis/${own._id}`);
    const { page, record } = catalog;
    await record.getByRole('button', { name: 'Edit' }).click();
    await record.getByText('created').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  it('shows each name in the direction of its script', async () => {
    const catalog = await world.openWithKey(`#q=${encodeURIComponent('מאגר')}`);
    await catalog.items.getByRole('link', { name: 'מאגר' }).waitFor();
    expect(await catalog.page.evaluate("document.querySelector('#list li a').matches(':dir(rtl)')")).toBe(true);
  });
});

describe('the list of what needs attention', () => {
  it('has, for Managers, the records of their Organizations', async () => {
    const { user, organization } = await world.newManager({ name: 'Old quays' });
    const { organization: silent } = await world.newManager({ name: 'Silent' });
    const contact = { contactName: 'Quay desk' };
    const ended = { ...contact, sunsetAt: inDays(-20) };
    const still = await world.newApi(organization, { ...ended, name: 'Still used', lifecycleStatus: 'deprecated' });
    await world.post(`/apis/${still._id}/consumers`, { organizationId: silent._id });
    await world.newApi(organization, { ...ended, name: 'Still offered', lifecycleStatus: 'production' });
    const gone = await world.newApi(organization, { ...ended, name: 'Gone', lifecycleStatus: 'deprecated' });
    await world.newApi(organization, { ...contact, name: 'Follower', successorId: gone._id });
    await world.newApi(organization, { name: 'Alone' });
    const old = await world.newApi(organization, { ...contact, name: 'Forgotten' });
    await backdate(world.browser.service, 'Api', old._id);
    await world.newApi(silent, { name: 'Of others', sunsetAt: inDays(-20) });
    const catalog = await world.openAs(user, '#list=attention');
    const below = async (heading: string): Promise<string[]> => {
      const list = catalog.page.locator('#list section', { has: catalog.page.getByRole('heading', { name: heading }) });
      await list.locator('li').first().waitFor();
      return (await list.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')).sort();
    };
    expect(await below('Ended')).toEqual([
      expect.stringMatching(/^Follower .*to be replaced by Gone, which has ended$/),
      expect.stringMatching(/^Still offered .*not deprecated$/),
      expect.stringMatching(/^Still used .*still used$/),
    ]);
    expect(await below('Without a contact')).toEqual([expect.stringMatching(/^Alone/)]);
    expect(await below('Not changed for a year')).toEqual([expect.stringMatching(/^Forgotten/)]);
  });

  it('has an API without a contact after 110 that their Organization has a contact for', async () => {
    const { user, organization } = await world.newManager({ name: 'Reachable', contactName: 'Net desk' });
    const [{ _id: userId }] = (await world.browser.service.admin.get(`/registry/users?username=${user.username}`)).body
      .data;
    for (let index = 0; index < 110; index++) await world.newApi(organization, { name: `Reachable ${index}` });
    const silent = await world.newOrganization({ name: 'Unreachable' });
    await world.post(`/organizations/${silent._id}/managers`, { userId });
    const late = await world.newApi(silent, { name: 'Late' });
    const catalog = await world.openAs(user, '#list=attention');
    await catalog.items.getByRole('link', { name: 'Late' }).waitFor();
    expect(await catalog.page.getByRole('button', { name: 'More' }).count()).toBe(0);
    await world.browser.service.admin.delete(`/registry/apis/${late._id}`);
    await catalog.page.reload();
    const list = catalog.page.locator('section section', { hasText: 'Without a contact' });
    await list.getByText('None.', { exact: true }).waitFor();
    expect(await list.getByRole('button').count()).toBe(0);
  });

  it('has, for Admins, also an Organization whose Managers are all suspended', async () => {
    const { user, organization } = await world.newManager({ name: 'Deserted' });
    const { service } = world.browser;
    await service.admin.delete(`/registry/organizations/${organization._id}/managers/${service.admin.id}`);
    const [{ _id }] = (await service.admin.get(`/registry/users?username=${user.username}`)).body.data;
    const { password: _, ...fields } = user;
    await service.admin.put(`/registry/users/${_id}`, { ...fields, isSuspended: true });
    const { username, password } = newUserBody(ADMIN);
    const catalog = await world.openAs({ username, password }, '#list=attention');
    await catalog.items.getByRole('link', { name: 'Deserted' }).waitFor();
  });
});

import type { User } from '../../src/registry/users/user.schema';
import { newUserBody } from '../support/records';
import { useCatalog } from './catalog-page';

const world = useCatalog();
beforeAll(async () => void (await world.newApi(await world.newOrganization(), { name: 'Harbour' })));

describe('the catalog runs and follows nothing that a record says', () => {
  const MARKUP = '<img src=x onerror="globalThis.ran = true"><script>globalThis.ran = true</script>';
  const SCRIPT = 'javascript:globalThis.ran=true';

  it('in any of its texts and URLs', async () => {
    // What the service does not take may be in its database all the same.
    const organization = await world.newOrganization({
      name: `Hostile ${MARKUP}`,
      description: MARKUP,
      contactName: MARKUP,
    });
    const other = await world.newApi(organization, { name: `After ${MARKUP}` });
    const texts = { name: `Evil ${MARKUP}`, description: MARKUP, version: '"><svg onload=ran=1>', contactName: MARKUP };
    const api = await world.newApi(organization, { ...texts, sunsetAt: '2001-01-01', successorId: other._id });
    await world.post(`/apis/${api._id}/consumers`, { organizationId: organization._id, note: MARKUP });
    const { service } = world.browser;
    const urls = {
      url: SCRIPT,
      documentationUrl: `data:text/html,${MARKUP}`,
      definitionUrl: `${SCRIPT}//https://`,
      contactUrl: SCRIPT,
    };
    await service
      .model('Api')
      .updateOne({ _id: api._id }, { $set: { ...urls, sunsetAt: MARKUP, tags: [MARKUP], lifecycleStatus: MARKUP } });
    await service
      .model('Organization')
      .updateOne({ _id: organization._id }, { $set: { url: ` ${SCRIPT}`, contactUrl: 'vbscript:x' } });
    const catalog = await world.openWithKey(`#list=${encodeURIComponent(MARKUP)}&q=${encodeURIComponent('Evil <img')}`);
    await catalog.items.getByRole('link').first().click();
    await catalog.below('Who uses it').getByText(MARKUP, { exact: true }).waitFor();
    const links = (): Promise<string[]> => catalog.page.evaluate('[...document.links].map(({ protocol }) => protocol)');
    expect(new Set(await links())).toEqual(new Set(['http:']));
    await catalog.record.getByText(SCRIPT, { exact: true }).first().waitFor();
    await catalog.record.getByRole('link', { name: organization.name }).first().click();
    await catalog.below('Managers').waitFor();
    expect(new Set(await links())).toEqual(new Set(['http:']));
    expect(await catalog.page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await catalog.page.locator('script, img, svg').count()).toBe(1);
  });

  it('in the address of the page', async () => {
    const catalog = await world.openWithKey('#show=apis/../../users/me&list=users');
    await catalog.items.first().waitFor();
    expect(await catalog.record.innerText()).toMatch(/^Choose one/);
    expect(new URL(catalog.page.url()).hash).toBe('#list=apis');
  });

  it('even if it were made into markup, or named another host, by its policy', async () => {
    const catalog = await world.open();
    const tried = (code: string): Promise<unknown> =>
      catalog.page.evaluate(`(async () => { ${code} })().then(() => 'done', String)`);
    expect(await tried('document.body.innerHTML = "<b>"')).toContain('TrustedHTML');
    expect(await tried('await fetch("http://127.0.0.1:1/")')).toContain('Failed to fetch');
    expect(world.browser.consoleErrors.splice(0).join()).toMatch(/TrustedHTML[^]*connect-src/);
  });
});

describe('the catalog says plainly', () => {
  it('that a key or a password is wrong, and asks again; a login ends with "Sign out"', async () => {
    const catalog = await world.open();
    await catalog.useKey(`roster_${'0'.repeat(49)}`);
    await catalog.alert.getByText('API key').waitFor();
    const user = newUserBody();
    const { _id } = await world.post('/users', user);
    await catalog.logIn(user.username, 'a wrong password');
    await catalog.alert.getByText('password').waitFor();
    await catalog.logIn(user.email, user.password);
    await catalog.items.first().waitFor();
    await catalog.page.reload();
    await catalog.items.first().waitFor();
    const ended = catalog.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await catalog.page.getByRole('button', { name: 'Sign out' }).click();
    expect((await ended).status()).toBe(204);
    expect((await world.browser.service.stored<User>('User', _id))?.sessions).toEqual([]);
    expect([await catalog.items.count(), await catalog.page.evaluate('sessionStorage.roster')]).toEqual([0, 'null']);
  });

  it('that a key was deleted meanwhile, and shows nothing more', async () => {
    const { key: other, _id, userId } = await world.newKey();
    const catalog = await world.open();
    await catalog.useKey(other);
    await catalog.items.first().waitFor();
    await world.browser.service.admin.delete(`/registry/users/${userId}/api-keys/${_id}`);
    await catalog.search.fill('x');
    await catalog.alert.getByText('API key').waitFor();
    expect(await catalog.items.count()).toBe(0);
    await catalog.useKey(world.key);
    await catalog.search.waitFor();
  });

  it('that an API is private, or does not exist', async () => {
    const organization = await world.newOrganization({});
    const api = await world.newApi(organization, { name: 'Private', isPublic: false });
    const catalog = await world.openWithKey(`#show=apis/${api._id}`);
    await catalog.alert.getByText('Only a Manager').waitFor();
    await catalog.page.goto(`${world.address}#show=apis/${'f'.repeat(24)}`);
    await catalog.alert.getByText('No API has this id.').waitFor();
  });

  it('that there are too many requests, and goes on after Retry-After', async () => {
    let refused = 0;
    const body = { status: 'fail', code: 1700, message: 'Too many requests.' };
    const headers = { 'Retry-After': '1' };
    const catalog = await world.open();
    await catalog.page.route(/\/apis\?/, (route) =>
      refused++ === 0 ? route.fulfill({ status: 429, headers, json: body }) : route.continue(),
    );
    await catalog.useKey(world.key);
    await catalog.status.getByText('Trying again in 1 s').waitFor();
    await catalog.items.first().waitFor();
    expect(await catalog.status.innerText()).toBe('');
  });

  it('that it is offline, and tries again', async () => {
    const catalog = await world.openWithKey();
    await catalog.items.first().waitFor();
    await catalog.page.context().setOffline(true);
    await catalog.search.fill('harbour');
    await catalog.alert.getByText('You are offline.').waitFor();
    await catalog.page.context().setOffline(false);
    await catalog.page.getByRole('button', { name: 'Try again' }).click();
    await catalog.items.first().waitFor();
  });
});

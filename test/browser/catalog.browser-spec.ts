import { readFileSync } from 'node:fs';
import { filePart, form, FORM_TYPE } from '../support/uploads.mjs';
import { created } from '../support/records';
import { ADMIN } from '../support/service';
import { until } from '../support/until';
import { useCatalog } from './catalog-page';

const world = useCatalog();
/** The end of an API that has not come yet. */
const END = new Date().getFullYear() + 1;

describe('the catalog', () => {
  beforeAll(async () => {
    const contact = {
      contactName: 'Harbour desk',
      contactEmail: 'desk&quay%0a@harbour.example',
      contactUrl: 'https://harbour.example/desk',
    };
    const logo = created(
      await world.browser.service.admin.post(
        '/registry/files',
        form(filePart(readFileSync('examples/demo/logos/fjord-freight.png'))),
        FORM_TYPE,
      ),
    );
    const fields = { ...contact, organizationLogoFileId: logo._id };
    const harbour = await world.newOrganization({ name: 'Harbour Office', ...fields });
    const nets = await world.newOrganization({ name: 'Nets & Sons', contactName: 'Grace Miller' });
    const freight = await world.newOrganization({ name: 'Fjord Freight' });
    const offered = { lifecycleStatus: 'production', isPublic: true };
    const berths = await world.newApi(harbour, {
      name: 'Berths',
      version: '2.1',
      tags: ['harbour', 'ships'],
      ...offered,
    });
    const arrivals = await world.newApi(harbour, {
      name: 'Arrivals',
      version: '1.4',
      description: 'Which ship arrives when, and at which quay.',
      lifecycleStatus: 'deprecated',
      sunsetAt: `${END}-03-31`,
      successorId: berths._id,
      tags: ['ships'],
      url: 'https://api.harbour.example/arrivals',
      documentationUrl: 'https://harbour.example/docs',
    });
    await world.newApi(nets, { name: 'Net sizes', version: '2026-04', tags: ['fishing', 'nets'], ...offered });
    await world.newApi(freight, { name: 'Containers', lifecycleStatus: 'testing', tags: ['tracking'] });
    await world.newApi(freight, { name: 'Customs', version: '0.3', lifecycleStatus: 'development' });
    for (const [{ _id }, note] of [
      [nets, 'Plans the boats.'],
      [freight, 'Sends trucks to the quay.'],
    ] as const)
      await world.post(`/apis/${arrivals._id}/consumers`, { organizationId: _id, note });
  });

  it('lists APIs by name and with their number, Organization, status, version, end and tags', async () => {
    const catalog = await world.open();
    const requested: string[] = [];
    catalog.page.on('request', (request) => requested.push(request.url()));
    await catalog.useKey(world.key);
    await catalog.items.nth(4).waitFor();
    expect(requested.filter((url) => !url.endsWith('icon.svg'))).toHaveLength(3);
    expect(await catalog.count.innerText()).toBe('1–5 of 5');
    expect(await catalog.listed()).toEqual([
      `Arrivals Harbour Office · 1.4 deprecated ends 31 Mar ${END} ships`,
      'Berths Harbour Office · 2.1 production harbour ships',
      'Containers Fjord Freight testing tracking',
      'Customs Fjord Freight · 0.3 development',
      'Net sizes Nets & Sons · 2026-04 production fishing nets',
    ]);
  });

  it('shows the owner, the contact, the successor and the users of an API', async () => {
    const catalog = await world.openWithKey();
    await catalog.show('Arrivals');
    await catalog.below('Who uses it').nth(1).waitFor();
    const text = (await catalog.record.innerText()).replace(/\s+/g, ' ');
    for (const part of [
      `ends 31 Mar ${END}`,
      'Harbour desk desk&quay%0a@harbour.example',
      'Nets & Sons Plans the boats.',
    ])
      expect(text).toContain(part);
    const links = await catalog.page.evaluate('[...document.links].map(({ href }) => href)');
    expect((links as string[]).filter((href) => /^(https|mailto):/.test(href))).toEqual([
      'mailto:desk%26quay%250a@harbour.example',
      'https://harbour.example/desk',
      'https://api.harbour.example/arrivals',
      'https://harbour.example/docs',
    ]);
    await catalog.record.getByRole('link', { name: 'Berths' }).click();
    await catalog.record.getByRole('heading', { name: 'Berths' }).waitFor();
  });

  it('shows of an Organization its logo, its Managers, its APIs and those that it uses', async () => {
    const catalog = await world.openWithKey();
    await catalog.page.getByRole('link', { name: 'Organizations' }).click();
    await catalog.show('Harbour Office');
    await catalog.record.getByRole('img', { name: 'Logo of Harbour Office' }).waitFor();
    expect(await catalog.widthOfLogo()).toBe(128);
    await catalog.below('Managers').getByText(ADMIN.username).waitFor();
    await catalog.below('APIs').nth(1).waitFor();
    await catalog.page.goBack();
    await catalog.show('Nets & Sons');
    await catalog.below('APIs that it uses').getByRole('link', { name: 'Arrivals' }).waitFor();
    expect(await catalog.record.innerText()).not.toMatch(/null|undefined/);
  });

  it('searches while its user types, and shows no result of an earlier text', async () => {
    const catalog = await world.openWithKey();
    await catalog.items.nth(1).waitFor();
    const asked: string[] = [];
    catalog.page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('q') ?? ''));
    await catalog.page.route(/[?&]q=ber$/, () => undefined);
    const [sent, aborted] = (['request', 'requestfailed'] as const).map((event) =>
      catalog.page.waitForEvent(event as 'request', (request) => request.url().endsWith('q=ber')),
    );
    await catalog.search.pressSequentially('ber');
    await sent;
    await catalog.search.fill('arriv');
    await aborted;
    await catalog.items.nth(1).waitFor({ state: 'detached' });
    expect(await catalog.listed()).toEqual([expect.stringMatching(/^Arrivals/)]);
    expect(asked.filter(Boolean)).toEqual(['ber', 'arriv']);
    await catalog.search.fill('nothing has this');
    await catalog.page.getByText('Nothing contains “nothing has this”.').waitFor();
    expect(await catalog.count.innerText()).toBe('');
  });

  it('goes back to what was shown before, with its search and the focus', async () => {
    const catalog = await world.openWithKey('#q=arr');
    await catalog.items.first().waitFor();
    expect(await catalog.search.inputValue()).toBe('arr');
    await catalog.items.getByRole('link').first().focus();
    await catalog.page.keyboard.press('Enter');
    const heading = catalog.record.getByRole('heading', { level: 2 });
    await heading.and(catalog.page.locator(':focus')).waitFor();
    await catalog.page.getByRole('link', { name: 'Organizations' }).click();
    await catalog.items.getByText('Nets & Sons').waitFor();
    const list = Promise.withResolvers<void>();
    await catalog.page.route(/q=arr/, async (route) => list.promise.then(() => route.continue()));
    await catalog.page.goBack();
    await heading.getByText('Arrivals').waitFor();
    expect(await catalog.search.inputValue()).toBe('arr');
    // The list comes last.
    await catalog.page.goBack();
    await catalog.record.getByText('Choose one').waitFor();
    list.resolve();
    await catalog.items.getByRole('link', { name: 'Arrivals' }).and(catalog.page.locator(':focus')).waitFor();
    await catalog.page.reload();
    await catalog.items.getByText('Arrivals').waitFor();
  });

  it('shows the search of the address after Back and a link, but never changes what its user types', async () => {
    const catalog = await world.openWithKey('#q=arr');
    await catalog.show('Arrivals');
    await catalog.search.fill('cust');
    await catalog.items.getByText('Customs').waitFor();
    await catalog.search.pressSequentially(' ');
    await catalog.items.getByText('Customs').waitFor();
    expect(await catalog.search.inputValue()).toBe('cust ');
    await catalog.page.goBack();
    await catalog.items.getByText('Arrivals').waitFor();
    expect(await catalog.search.inputValue()).toBe('arr');
    await catalog.search.fill('ber');
    await catalog.page.evaluate('location.hash = "#list=organizations&q=nets"');
    await catalog.items.getByText('Nets & Sons').waitFor();
    expect(await catalog.search.inputValue()).toBe('nets');
  });

  it('searches for what an input method has composed, and for no state of it', async () => {
    const catalog = await world.openWithKey();
    await catalog.items.nth(1).waitFor();
    const asked: (string | null)[] = [];
    catalog.page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('q')));
    await catalog.page.clock.install();
    const keyboard = await catalog.page.context().newCDPSession(catalog.page);
    await catalog.search.pressSequentially('a');
    for (const text of ['ｒ', 'ｒｒ', 'ｒｒ']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 });
      await catalog.page.clock.runFor(1_000);
    }
    await keyboard.send('Input.insertText', { text: 'rriv' });
    await catalog.page.clock.runFor(1_000);
    await catalog.items.nth(1).waitFor({ state: 'detached' });
    expect([await catalog.listed(), asked.filter(Boolean)]).toEqual([[expect.stringMatching(/^Arrivals/)], ['arriv']]);
  });

  it('names the record in its title, and shows that what a slow network will replace is old', async () => {
    const catalog = await world.openWithKey();
    await catalog.show('Arrivals');
    expect(await catalog.page.title()).toBe('Arrivals – API catalog');
    const sent = Promise.withResolvers<void>();
    await catalog.page.route(/q=ber|apis\/[0-9a-f]{24}$/, (route) => sent.promise.then(() => route.continue()));
    const opacity = (id: string) => `Number(getComputedStyle(document.getElementById('${id}')).opacity)`;
    await catalog.items.getByRole('link', { name: 'Customs' }).click();
    await catalog.search.fill('ber');
    for (const id of ['list', 'record'])
      await until(async () => (await catalog.page.evaluate<number>(opacity(id))) < 0.7);
    expect(await catalog.page.title()).toBe('API catalog');
    sent.resolve();
    for (const id of ['list', 'record']) await until(async () => (await catalog.page.evaluate(opacity(id))) === 1);
    expect(await catalog.page.title()).toBe('Customs – API catalog');
    await catalog.page.getByRole('button', { name: 'Sign out' }).click();
    expect(await catalog.page.title()).toBe('API catalog');
  });

  it('has an icon, which its policy allows', async () => {
    const { page } = await world.open();
    const src = `Object.assign(new Image(), { src: document.querySelector('[rel="icon"]').href })`;
    expect(await page.evaluate(`${src}.decode().then(() => 'shown', String)`)).toBe('shown');
  });

  it('shows on a small screen one thing at a time, without scrolling sideways, in both colour schemes', async () => {
    const catalog = await world.openWithKey();
    await catalog.page.setViewportSize({ width: 390, height: 800 });
    await catalog.show('Arrivals');
    await catalog.items.first().waitFor({ state: 'hidden' });
    const ground = () => catalog.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const grounds = new Set<unknown>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await catalog.page.emulateMedia({ colorScheme });
      grounds.add(await ground());
    }
    expect(grounds.size).toBe(2);
    expect(await catalog.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await catalog.page.getByRole('link', { name: 'Back to the list' }).click();
    await catalog.items.first().waitFor();
    expect(await catalog.record.isVisible()).toBe(false);
  });

  it('reaches everything with the keyboard, and shows where the focus is', async () => {
    const catalog = await world.openWithKey();
    await catalog.show('Arrivals');
    await catalog.page.reload();
    await catalog.below('Who uses it').nth(1).waitFor();
    const names: unknown[] = [];
    while (names.at(-1) !== 'Fjord Freight') {
      await catalog.page.keyboard.press('Tab');
      expect(await catalog.page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      const name = 'document.activeElement.name || document.activeElement.textContent';
      names.push(await catalog.page.evaluate(name));
    }
    const filters = ['q', 'status', 'ends', 'tag', 'mine'];
    const tagged = ['Arrivals', 'ships', 'Berths', 'harbour', 'ships', 'Containers', 'tracking', 'Customs'];
    const listed = [...tagged, 'Net sizes', 'fishing', 'nets'];
    const shown = [
      'ships',
      'Harbour Office',
      'Berths',
      expect.stringMatching(/^desk&/),
      expect.stringMatching(/desk$/),
    ];
    const last = [expect.stringMatching(/arrivals$/), expect.stringMatching(/docs$/), 'Nets & Sons', 'Fjord Freight'];
    const lists = ['APIs', 'Organizations', 'Needs attention'];
    expect(names).toEqual(['Sign out', ...lists, ...filters, ...listed, ...shown, ...last]);
  });
});

it('the catalog shows 50 records at a time, and moves the focus to the next ones', async () => {
  const organization = await world.newOrganization({});
  await Promise.all(Array.from({ length: 51 }, (_, index) => world.newApi(organization, { name: `Many ${index}` })));
  const catalog = await world.openWithKey('#q=many');
  await catalog.page.getByRole('button', { name: 'More' }).click();
  await catalog.items.nth(50).getByRole('link').and(catalog.page.locator(':focus')).waitFor();
  expect(await catalog.items.count()).toBe(51);
  expect(await catalog.page.getByRole('button', { name: 'More' }).count()).toBe(0);
});

it('the catalog has no error in the console, violates no policy and requests nothing from other hosts', () => {
  expect(world.browser.problems()).toEqual([]);
});

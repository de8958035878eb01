import type { Page } from 'playwright-core';
import type { Shown } from '../support/scene';
import { etag, newUserBody } from '../support/records';
import { ADMIN } from '../support/service';
import { until } from '../support/until';
import { accessibilityProblems } from './browser';
import { type CatalogPage, useCatalog } from './catalog-page';

const world = useCatalog();
type Manager = Awaited<ReturnType<typeof world.newManager>>;
let manager: Manager;
let api: Shown;

beforeEach(async () => {
  manager = await world.newManager({ name: `Quays ${Math.random()}` });
  const fields = { version: '1.0', tags: ['ships'], description: 'Which ship lies where.', lifecycleStatus: 'testing' };
  api = await world.newApi(manager.organization, { name: 'Berths', ...fields });
});

const open = (user = manager.user): Promise<CatalogPage> => world.openAs(user, `#show=apis/${api._id}`);
const stored = async (): Promise<Record<string, unknown>> =>
  (await world.browser.service.admin.get(`/registry/apis/${api._id}`)).body;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a Manager', () => {
  it('edits the status, version, end, successor and contact of an API, and nothing else', async () => {
    await world.newApi(manager.organization, { name: 'Berths 2' });
    const { page, record, status } = await open();
    await button(page, 'Edit').click();
    await record.getByLabel('Status').and(page.locator(':focus')).waitFor();
    await record.getByLabel('Status').selectOption('deprecated');
    await record.getByLabel('Version').fill('1.1');
    await record.getByLabel('Ends on').fill('2031-03-31');
    await record.getByLabel('Replaced by').selectOption('Berths 2');
    await record.getByLabel('E-mail address').fill('quay@harbour.example');
    await button(page, 'Save').click();
    await status.getByText('Saved.').waitFor();
    await record.getByText('ends 31 Mar 2031').waitFor();
    await record.getByRole('link', { name: 'Berths 2' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Berths');
    const { _id, revision: _, updatedAt: __, ...before } = api as Record<string, unknown>;
    const changes = { lifecycleStatus: 'deprecated', version: '1.1', sunsetAt: '2031-03-31' };
    const after = { ...changes, contactEmail: 'quay@harbour.example', successorId: expect.any(String) };
    expect(await stored()).toMatchObject({ ...before, ...after });
    await record.getByText('Status: testing → deprecated').waitFor();
    await record.getByText('Ends on: – → 2031-03-31').waitFor();
    await record.getByText(`· ${manager.user.username}`).waitFor();
  });

  it('sees what somebody else has changed meanwhile, and then adds their own change', async () => {
    const catalog = await open();
    const { page, record } = catalog;
    await button(page, 'Edit').click();
    await record.getByLabel('Contact', { exact: true }).fill('Quay desk');
    const body = { ...(await stored()), version: '1.5', etag: undefined };
    await world.browser.service.admin.put(`/registry/apis/${api._id}`, body, { 'if-match': etag(0) });
    await button(page, 'Save').click();
    await catalog.alert.getByText('Version: 1.0 → 1.5').waitFor();
    expect(await record.getByLabel('Version').inputValue()).toBe('1.5');
    await button(page, 'Save').click();
    await catalog.status.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ version: '1.5', contactName: 'Quay desk' });
  });

  it('sees which field is invalid, and the focus moves to it', async () => {
    const catalog = await open();
    await button(catalog.page, 'Edit').click();
    await catalog.record.getByLabel('E-mail address').fill('nobody');
    await button(catalog.page, 'Save').click();
    await catalog.alert.getByText('E-mail address must be').waitFor();
    const field = catalog.record.getByLabel('E-mail address').and(catalog.page.locator(':focus'));
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityProblems(catalog.page)).toEqual([]);
  });

  it('loses nothing that is typed to a second click on "Edit", and cancels', async () => {
    const { page, record } = await open();
    await button(page, 'Edit').click();
    await record.getByText(`use the contact of ${manager.organization.name}.`).waitFor();
    await record.getByLabel('Version').fill('7.7');
    expect([await button(page, 'Edit').isDisabled(), await button(page, 'Still right').isDisabled()]).toEqual([
      true,
      true,
    ]);
    await button(page, 'Cancel').click();
    await button(page, 'Edit').and(page.locator(':focus')).click();
    expect(await record.getByLabel('Version').inputValue()).toBe('1.0');
  });

  it('marks an API as reviewed', async () => {
    const { page, record } = await open();
    await button(page, 'Still right').click();
    await record.getByRole('term').filter({ hasText: 'Reviewed' }).waitFor();
    expect((await stored()).reviewedAt).toBe(new Date().toISOString().slice(0, 10));
  });

  it('adds a Consumer by name, and removes it', async () => {
    const { name } = await world.newOrganization({ name: `Nets & Sons ${Math.random()}` });
    const catalog = await open();
    const { page, record } = catalog;
    await record.getByLabel('Organization').fill('Nobody');
    await button(page, 'Add').click();
    await catalog.alert.getByText('Organization “Nobody” does not exist').waitFor();
    await record.getByLabel('Organization').fill(name.toLowerCase());
    await record.getByLabel('What it uses the API for').fill('Plans the boats.');
    await button(page, 'Add').click();
    await catalog.below('Who uses it').getByText('Plans the boats.').waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await button(page, `Remove ${name}`).click();
    page.once('dialog', (dialog) => void dialog.accept());
    await button(page, `Remove ${name}`).click();
    await record.getByText('No Consumers are known.').waitFor();
  });

  it('adds an Organization of their own to the API of others', async () => {
    const other = await world.newManager({ name: `Freight ${Math.random()}` });
    const changed = { ...(await stored()), isPublic: true };
    await world.browser.service.admin.put(`/registry/apis/${api._id}`, changed);
    const catalog = await open(other.user);
    await catalog.record.getByLabel('Organization').fill(other.organization.name);
    expect(await button(catalog.page, 'Edit').count()).toBe(0);
    await button(catalog.page, 'Add').click();
    await catalog.below('Who uses it').getByText(other.organization.name).waitFor();
  });

  it('stays logged in when the access token expires', async () => {
    const catalog = await open();
    await button(catalog.page, 'Edit').waitFor();
    const login = 'JSON.parse(sessionStorage.roster)';
    const { refreshToken } = await catalog.page.evaluate<Record<string, string>>(login);
    await catalog.page.evaluate(`sessionStorage.roster = JSON.stringify({ ...${login}, accessToken: 'old' })`);
    await catalog.page.reload();
    await button(catalog.page, 'Edit').waitFor();
    expect((await catalog.page.evaluate<Record<string, string>>(login)).refreshToken).not.toBe(refreshToken);
  });
});

it('the catalog is read-only with an API key', async () => {
  const { page, record } = await world.openWithKey(`#show=organizations/${manager.organization._id}`);
  await record.getByText('Managers').waitFor();
  expect(await record.getByRole('button').count()).toBe(0);
  expect(page.url()).toContain(manager.organization._id);
});

describe('a link that can be used once', () => {
  it('lets somebody without an account manage an Organization, whoever is signed in', async () => {
    const admin = await world.openAs({ ...ADMIN }, `#show=organizations/${manager.organization._id}`);
    await admin.record.getByLabel('E-mail address').fill('grace@roster.example');
    await button(admin.page, 'Invite').click();
    const link = await admin.record.getByLabel('Send this address to grace@roster.example').inputValue();
    expect(link).toContain(`${world.address}#link=roster_link_`);
    const open = admin.below('Invited, not accepted yet');
    await open.getByText('grace@roster.example').waitFor();
    await admin.record.getByLabel('E-mail address').fill('ada@roster.example');
    await button(admin.page, 'Invite').click();
    await button(admin.page, 'Revoke ada@roster.example').click();
    await open.nth(1).waitFor({ state: 'detached' });
    expect(await open.allInnerTexts()).toEqual([expect.stringContaining('grace@roster.example')]);
    expect(await accessibilityProblems(admin.page)).toEqual([]);
    await admin.page.goto(link);
    await admin.page.getByText(`You were invited to manage ${manager.organization.name}.`).waitFor();
    expect(admin.page.url()).toBe(world.address);
    expect(await accessibilityProblems(admin.page)).toEqual([]);
    await admin.page.getByLabel('Username').fill('grace');
    await admin.page.getByLabel('Company').fill('Compilers');
    await admin.page.getByLabel('New password').fill('12345678');
    await button(admin.page, 'Create the account').click();
    await admin.alert.getByText('password').waitFor();
    await admin.page.getByLabel('New password').fill('a passphrase that Grace likes');
    await button(admin.page, 'Create the account').click();
    await admin.items.getByText(manager.organization.name).waitFor();
    await admin.record.getByText('Choose one').waitFor();
    const [grace] = (await world.browser.service.admin.get('/registry/users?username=grace')).body.data;
    const { managerIds } = (
      await world.browser.service.admin.get(`/registry/organizations/${manager.organization._id}`)
    ).body;
    expect([managerIds.includes(grace._id), grace.email]).toEqual([true, 'grace@roster.example']);
    await admin.page.goto(link);
    await admin.alert.getByText('link').waitFor();
    expect(await button(admin.page, 'Try again').count()).toBe(0);
    await admin.page.getByRole('link', { name: 'Go to the catalog' }).click();
    await admin.page.getByRole('banner').getByText('grace', { exact: true }).waitFor();
  });

  it('tells somebody who has an account meanwhile to sign in', async () => {
    const user = newUserBody();
    const invitation = { email: user.email };
    const { path } = (await world.post(
      `/organizations/${manager.organization._id}/invitations`,
      invitation,
    )) as unknown as { path: string };
    await world.post('/users', user);
    const catalog = await world.open(path.replace(/.*#/, '#'));
    await catalog.page.getByLabel('Username').fill('somebody');
    await catalog.page.getByLabel('Company').fill('Compilers');
    await catalog.page.getByLabel('New password').fill('a passphrase that nobody has');
    await button(catalog.page, 'Create the account').click();
    await catalog.alert.getByText('ask to be added as a Manager').waitFor();
  });

  it('is made by an Admin, whom a Manager is told to ask', async () => {
    const { record, page } = await world.openAs(manager.user, `#show=organizations/${manager.organization._id}`);
    await record.getByText('Ask an Admin to invite Managers.').waitFor();
    expect(await button(page, 'Invite').count()).toBe(0);
  });

  it('lets a User choose a password', async () => {
    const [user] = (await world.browser.service.admin.get(`/registry/users?username=${manager.user.username}`)).body
      .data;
    const { path } = (await world.post(`/users/${user._id}/password-links`, {})) as unknown as { path: string };
    const catalog = await world.open(path.replace(/.*#/, '#'));
    await catalog.page.getByLabel('New password').fill('another passphrase than before');
    await button(catalog.page, 'Set the password').click();
    await catalog.search.waitFor();
    await button(catalog.page, 'Sign out').click();
    await catalog.logIn(manager.user.username, 'another passphrase than before');
    await until(() => catalog.search.isVisible());
  });
});

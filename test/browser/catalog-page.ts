import type { Locator, Page } from 'playwright-core';
import type { CreatedApiKeyDto } from '../../src/registry/api-keys/api-key.dto';
import { created, newUserBody, organizationBody } from '../support/records';
import type { Shown } from '../support/scene';
import { Browser } from './browser';

/** The catalog in a tab. */
export class CatalogPage {
  readonly search: Locator;
  readonly items: Locator;
  readonly record: Locator;
  readonly alert: Locator;
  readonly status: Locator;
  readonly count: Locator;

  constructor(readonly page: Page) {
    this.search = page.getByLabel('Search', { exact: true }).and(page.locator('input'));
    this.items = page.locator('#list li');
    this.record = page.getByRole('article');
    this.alert = page.getByRole('alert').filter({ hasText: /./ });
    this.status = page.locator('#status');
    this.count = page.locator('#count');
  }

  async useKey(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key);
    await this.page.getByRole('button', { name: 'Use this key' }).click();
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.page.getByLabel('Username or e-mail address').fill(name);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Log in' }).click();
  }

  /** The texts of the items of the list, without the white space between their parts. */
  async listed(): Promise<string[]> {
    return (await this.items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  }

  /** Opens a record of the list, and waits until it is shown. */
  async show(name: string): Promise<void> {
    await this.items.getByRole('link', { name, exact: true }).click();
    await this.record.getByRole('heading', { level: 2, name, exact: true }).waitFor();
  }

  /** Waits until the logo is shown, and returns its own width in pixels. */
  async widthOfLogo(): Promise<number> {
    await this.record.getByRole('img').first().waitFor();
    return this.page.evaluate('document.images[0].decode().then(() => document.images[0].naturalWidth)');
  }

  /** The items of the list below a heading of the record. */
  below(heading: string): Locator {
    return this.record
      .locator('section', { has: this.page.getByRole('heading', { name: heading, exact: true }) })
      .locator('li');
  }
}

/** A service with records, and its catalog. */
export class CatalogWorld {
  browser!: Browser;
  /** The address of the catalog. */
  address!: string;
  /** A key with the scope `read`, of a User who manages nothing. */
  key!: string;

  async start(): Promise<void> {
    this.browser = await Browser.start();
    this.address = `${this.browser.url}/catalog/`;
    this.key = (await this.newKey()).key;
  }

  async stop(): Promise<void> {
    await this.browser?.stop();
  }

  /** The catalog in a new tab. */
  async open(hash = ''): Promise<CatalogPage> {
    const catalog = new CatalogPage(await this.browser.newPage());
    await catalog.page.goto(this.address + hash);
    return catalog;
  }

  /** The catalog in a new tab, after a login. */
  async openAs({ username, password }: { username: string; password: string }, hash?: string): Promise<CatalogPage> {
    const catalog = await this.open(hash);
    await catalog.logIn(username, password);
    return catalog;
  }

  /** The catalog in a new tab, with the key. */
  async openWithKey(hash?: string): Promise<CatalogPage> {
    const catalog = await this.open(hash);
    await catalog.useKey(this.key);
    return catalog;
  }

  /** Creates a record as an Admin. */
  async post(path: string, body: object): Promise<Shown> {
    return created(await this.browser.service.admin.post(`/registry${path}`, body));
  }

  newOrganization(fields: object = {}): Promise<Shown> {
    return this.post('/organizations', organizationBody(fields));
  }

  newApi(organization: Shown, fields: object): Promise<Shown> {
    return this.post(`/organizations/${organization._id}/apis`, { isPublic: true, ...fields });
  }

  /** A User who may log in, and the Organization that they manage. */
  async newManager(fields?: object): Promise<{ user: ReturnType<typeof newUserBody>; organization: Shown }> {
    const user = newUserBody();
    const { _id: userId } = await this.post('/users', user);
    const organization = await this.newOrganization(fields);
    await this.post(`/organizations/${organization._id}/managers`, { userId });
    return { user, organization };
  }

  async newKey(): Promise<CreatedApiKeyDto & { userId: string }> {
    const user = newUserBody();
    const { _id: userId } = await this.post('/users', user);
    const client = await this.browser.service.logIn(user);
    const body = { name: 'Catalog', scope: 'read', currentPassword: user.password };
    return { ...created<CreatedApiKeyDto>(await client.post('/registry/users/me/api-keys', body)), userId };
  }
}

/** A world for the tests of a file. Every test has a tab of its own. */
export function useCatalog(): CatalogWorld {
  const world = new CatalogWorld();
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  afterEach(() => world.browser.closePages());
  return world;
}

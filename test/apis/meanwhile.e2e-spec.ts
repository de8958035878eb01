import { ApiDeletionService } from '../../src/apis/api-deletion.service';
import type { ApiDto } from '../../src/apis/api.dto';
import { ApiUpdateService } from '../../src/apis/api-update.service';
import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { addManager, createOrganization } from '../support/records';
import { Service, startService } from '../support/service';
import { createApi, feature, storedApi, storedOrganization } from './api-records';

let service: Service;
let updates: ApiUpdateService;
let transactions: Transactions;
let founder: Client;
let second: Client;
let organization: OrganizationDto;
let api: ApiDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  updates = service.app.get(ApiUpdateService);
  transactions = service.app.get(Transactions);
  [founder, second] = [await service.account(), await service.account()];
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(founder);
  await addManager(founder, organization._id, second.id);
  api = await createApi(founder, organization._id, { isPublic: true });
  path = `/apis/${api._id}`;
});
afterEach(() => jest.restoreAllMocks());

const describeIt = (description: string): Promise<ApiResponse> => second.put(path, { ...api, description });
const featureIt = (): Promise<ApiResponse> => feature(second, organization, api);
const removeFounder = (): Promise<ApiResponse> =>
  second.delete(`/organizations/${organization._id}/managers/${founder.id}`);
/** Another name, and one that makes the same slug. */
const names = (): [string, string] => [`${api.name} renamed`, `${api.name}: renamed!`];

/** What makes an Api go, or the Organization with it. */
const GONE: [string, () => Promise<ApiResponse>][] = [
  ['it is deleted', () => second.delete(path)],
  ['its Organization is deleted', () => second.delete(`/organizations/${organization._id}`)],
];

describe('PUT /apis/:id, when after its judgement', () => {
  const put = (fields: object, headers = {}): Promise<ApiResponse> => founder.put(path, { ...api, ...fields }, headers);
  const changes: [string, () => object][] = [
    ['another url', () => ({ url: 'https://ours.example' })],
    ['another name', () => ({ name: names()[0] })],
    ['privacy', () => ({ isPublic: false })],
  ];

  describe.each(changes)('and with %s', (_title, change) => {
    it('somebody else changes it: the last write wins', async () => {
      meanwhile(updates, 'update', () => describeIt('Theirs'));
      const answer = await put(change());
      expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-2"' }, body: { data: change() } });
      expect(await storedApi(service, api)).toMatchObject({ description: '', revision: 2, ...change() });
    });

    it('somebody else changes it: an If-Match of before is refused, and theirs stays', async () => {
      await featureIt();
      meanwhile(updates, 'update', () => describeIt('Theirs'));
      expectFailure(await put(change(), { 'if-match': '"1-0"' }), 'preconditionFailed');
      const { name, url, isPublic } = api;
      expect(await storedApi(service, api)).toMatchObject({ name, url, isPublic, description: 'Theirs', revision: 1 });
      expect((await storedOrganization(service, organization)).featuredApiIds.map(String)).toEqual([api._id]);
    });

    it.each(GONE)('%s: it is not there', async (_event, event) => {
      meanwhile(updates, 'update', event);
      expectFailure(await put(change(), { 'if-match': '"1-0"' }), 'apiNotFound');
      expect(await storedApi(service, api)).toBeNull();
    });

    it('it changes, and the caller is removed: they may change nothing', async () => {
      meanwhile(updates, 'update', async () => [await describeIt('Theirs'), await removeFounder()]);
      expectFailure(await put(change(), { 'if-match': '"1-0"' }), 'forbidden');
      expect(await storedApi(service, api)).toMatchObject({ name: api.name, description: 'Theirs', revision: 1 });
    });
  });

  it.each(GONE)('%s, and it is to be renamed: it is not there, and is not put back', async (_event, event) => {
    meanwhile(transactions, 'attempt', event);
    expectFailure(await put({ name: names()[0] }), 'apiNotFound');
    expect(await storedApi(service, api)).toBeNull();
  });

  it('somebody else makes the same change: nothing is left to do', async () => {
    meanwhile(updates, 'update', () => describeIt('Ours'));
    const answer = await put({ description: 'Ours' });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' }, body: { data: { description: 'Ours' } } });
    expect(await storedApi(service, api)).toMatchObject({ description: 'Ours', revision: 1 });
  });

  it('somebody else renames it: it is found by that name’s slug, too', async () => {
    const [theirs, ours] = [`${api.name} of theirs`, `${api.name} of ours`];
    meanwhile(updates, 'update', () => second.put(path, { ...api, name: theirs }));
    expect((await put({ name: ours })).body.data).toMatchObject({ name: ours, slug: `${api.slug}-of-ours` });
    const slugs = (await storedApi(service, api))?.slugs.map(({ text }) => text);
    expect(slugs).toEqual([api.slug, `${api.slug}-of-theirs`, `${api.slug}-of-ours`]);
  });

  it('the name is taken: it is refused, and nothing changes', async () => {
    const [name] = names();
    await featureIt();
    const before = [await storedApi(service, api), (await storedOrganization(service, organization)).featuredApiIds];
    meanwhile(transactions, 'attempt', () => createApi(second, organization._id, { name: name.toUpperCase() }));
    expectFailure(await put({ name, isPublic: false }), 'apiNameTaken');
    const after = [await storedApi(service, api), (await storedOrganization(service, organization)).featuredApiIds];
    expect(after).toEqual(before);
  });

  it('the slug is taken: it gets the next one', async () => {
    const [name, same] = names();
    meanwhile(transactions, 'attempt', () => createApi(second, organization._id, { name: same }));
    const { slug, friendlySlugs } = (await put({ name })).body.data as ApiDto;
    expect(slug).toBe(`${friendlySlugs.slug.base}-1`);
    expect((await storedApi(service, api))?.slugs.map(({ text }) => text)).toEqual([api.slug, slug]);
  });

  it('it is featured, and is to be private: it is featured no more', async () => {
    meanwhile(updates, 'update', featureIt);
    expect((await put({ isPublic: false })).status).toBe(200);
    expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });

  it('it is turned public and featured, and is to be private: it is featured no more', async () => {
    api = (await put({ isPublic: false })).body.data as ApiDto;
    meanwhile(updates, 'update', async () => {
      await second.put(path, { ...api, isPublic: true });
      expect((await featureIt()).status).toBe(200);
    });
    expect((await put({ description: 'Ours' })).body.data).toMatchObject({ isPublic: false, description: 'Ours' });
    expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });
});

describe('DELETE /apis/:id, when after its judgement', () => {
  const meanwhileDeleting = (event: () => Promise<unknown>): void =>
    meanwhile(service.app.get(ApiDeletionService), 'remove', event);

  it.each([
    ['without If-Match', {}],
    ['with any', { 'if-match': '*' }],
  ])('somebody else changes it: it goes all the same, %s', async (_title, headers) => {
    meanwhileDeleting(() => describeIt('Theirs'));
    expect((await founder.delete(path, headers)).status).toBe(204);
    expect(await storedApi(service, api)).toBeNull();
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 0 });
  });

  it('somebody else changes it: an If-Match of before keeps it, featured and counted', async () => {
    await featureIt();
    meanwhileDeleting(() => describeIt('Theirs'));
    expectFailure(await founder.delete(path, { 'if-match': '"1-0"' }), 'preconditionFailed');
    expect(await storedApi(service, api)).toMatchObject({ description: 'Theirs' });
    const { featuredApiIds, apiCount } = await storedOrganization(service, organization);
    expect([featuredApiIds.map(String), apiCount]).toEqual([[api._id], 1]);
  });

  it('somebody else deletes it: it is not there, and is not counted off twice', async () => {
    await createApi(founder, organization._id);
    meanwhileDeleting(() => second.delete(path));
    expectFailure(await founder.delete(path, { 'if-match': '"1-0"' }), 'apiNotFound');
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
  });

  it('its Organization is deleted: it is not there', async () => {
    meanwhileDeleting(() => second.delete(`/organizations/${organization._id}`));
    expectFailure(await founder.delete(path), 'apiNotFound');
  });

  it('it changes, and the caller is removed: they may not delete it', async () => {
    meanwhileDeleting(async () => [await describeIt('Theirs'), await removeFounder()]);
    expectFailure(await founder.delete(path), 'forbidden');
    expect(await storedApi(service, api)).toMatchObject({ description: 'Theirs' });
  });

  it('it is featured: it is featured no more', async () => {
    meanwhileDeleting(featureIt);
    expect((await founder.delete(path)).status).toBe(204);
    expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });
});

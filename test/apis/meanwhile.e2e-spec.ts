import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { Organization } from '../../src/organizations/organization.schema';
import { ApiResponse, Client } from '../support/client';
import { Expected, expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import { createOrganization, idsOf, ifMatch, newManager } from '../support/records';
import { Service, useService } from '../support/service';
import { apiBody, createApi, feature, storedApi, storedOrganization } from './api-records';

type Event = () => Promise<unknown>;

let service: Service;
useService((started) => (service = started));
let founder: Client;
let second: Client;
let organization: OrganizationDto;
let api: ApiDto;
let path: string;
let organizationPath: string;
beforeAll(async () => {
  founder = await service.account();
});
beforeEach(async () => {
  organization = await createOrganization(founder);
  organizationPath = `/organizations/${organization._id}`;
  second = await newManager(service, organization._id);
  api = await createApi(founder, organization._id, { isPublic: true });
  path = `/apis/${api._id}`;
});

const create = (fields = {}): Promise<ApiResponse> => founder.post(`${organizationPath}/apis`, apiBody(fields));
const put = (fields: object, headers = {}): Promise<ApiResponse> => founder.put(path, { ...api, ...fields }, headers);
const featureIt = (): Promise<ApiResponse> => feature(second, organization, api);
const removeFounder = (): Promise<ApiResponse> => second.delete(`${organizationPath}/managers/${founder.id}`);
const removeOrganization = (): Promise<ApiResponse> => second.delete(organizationPath);
const count = (): Promise<number> => service.model('Api').countDocuments({ organizationId: organization._id });
/** Lets the Organization hold that many APIs, which do not exist. */
const setCount = (apiCount: number) => (): Promise<unknown> =>
  service.model<Organization>('Organization').updateOne({ _id: organization._id }, { $set: { apiCount } });
/** Another name, and one that makes the same slug. */
const names = (): [string, string] => [`${api.name} renamed`, `${api.name}: renamed!`];

describe.each(MOMENTS)('%s', (moment) => {
  const during = (event: Event, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);

  describe('of POST /organizations/:id/apis', () => {
    const full = async (): Promise<unknown> => [await removeFounder(), await setCount(1000)()];
    const change = (): Promise<ApiResponse> => second.put(organizationPath, { ...organization, description: 'Theirs' });
    const take = (): Promise<unknown> => createApi(second, organization._id, { name: 'TAKEN' });

    it.each<[string, Event, Expected, object | undefined]>([
      ['the Organization changes: created all the same', change, 201, { description: 'Theirs', apiCount: 2 }],
      ['the Organization is deleted: not found', removeOrganization, 'organizationNotFound', undefined],
      ['the caller is removed: forbidden', removeFounder, 'forbidden', { apiCount: 1 }],
      ['the caller is removed and it is full: forbidden', full, 'forbidden', { apiCount: 1000 }],
      ['the 1,000th API is created: one more is refused', setCount(1000), 'tooMany', { apiCount: 1000 }],
      ['the 999th API is created: it is the 1,000th', setCount(999), 201, { apiCount: 1000 }],
      ['the name is taken: refused, and not counted', take, 'apiNameTaken', { apiCount: 2 }],
    ])('%s', async (_title, event, expected, left) => {
      const before = await count();
      expectOutcome(await during(event, () => create({ name: 'taken' })), expected);
      const stored = await service.stored<Organization>('Organization', organization._id);
      if (left) expect(stored).toMatchObject(left);
      else expect(stored).toBeNull();
      const added = expected === 201 || expected === 'apiNameTaken' ? 1 : 0;
      expect(await count()).toBe(stored ? before + added : 0);
    });

    it('the name is taken in another Organization: it gets the next slug', async () => {
      const elsewhere = await createOrganization(second);
      const name = `Elsewhere, ${organization.name}`;
      const take = (): Promise<unknown> => createApi(second, elsewhere._id, { name });
      const { data } = (await during(take, () => create({ name }))).body;
      expect(data).toMatchObject({ name, slug: `${data.friendlySlugs.slug.base}-1` });
    });
  });

  describe('of PUT /apis/:id', () => {
    it('somebody else renames it: it is found by that slug, too', async () => {
      const theirs = (): Promise<ApiResponse> => second.put(path, { ...api, name: `${api.name} of theirs` });
      const { data } = (await during(theirs, () => put({ name: `${api.name} of ours` }))).body;
      expect(data.slug).toBe(`${api.slug}-of-ours`);
      const slugs = (await storedApi(service, api))?.slugs.map(({ text }) => text);
      expect(slugs).toEqual([api.slug, `${api.slug}-of-theirs`, `${api.slug}-of-ours`]);
    });

    it('the name is taken: refused, and nothing changes', async () => {
      const [name] = names();
      await featureIt();
      const before = await storedApi(service, api);
      const take = (): Promise<unknown> => createApi(second, organization._id, { name: name.toUpperCase() });
      expectOutcome(await during(take, () => put({ name, isPublic: false })), 'apiNameTaken');
      expect(await storedApi(service, api)).toEqual(before);
      expect((await storedOrganization(service, organization)).featuredApiIds.map(String)).toEqual([api._id]);
    });

    it('the slug is taken: it gets the next one', async () => {
      const [name, same] = names();
      const take = (): Promise<unknown> => createApi(second, organization._id, { name: same });
      const { slug, friendlySlugs } = (await during(take, () => put({ name }))).body.data;
      expect(slug).toBe(`${friendlySlugs.slug.base}-1`);
      expect((await storedApi(service, api))?.slugs.map(({ text }) => text)).toEqual([api.slug, slug]);
    });

    it('a private one is made public and featured: it is private and not featured', async () => {
      api = (await put({ isPublic: false })).body.data as ApiDto;
      const publish = (): Promise<ApiResponse> => second.put(path, { ...api, isPublic: true });
      const show = async (): Promise<unknown> => [await publish(), await featureIt()];
      const { data } = (await during(show, () => put({ description: 'Ours' }))).body;
      expect(data).toMatchObject({ isPublic: false, description: 'Ours' });
      expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [], revision: 3 });
    });
  });

  it.each([
    ['PUT /apis/:id to private', () => put({ isPublic: false }), 200],
    ['DELETE /apis/:id', () => founder.delete(path), 204],
  ])('of %s it is featured: it is no longer featured', async (_title, request, expected) => {
    expectOutcome(await during(featureIt, request), expected);
    expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });

  describe('of DELETE /apis/:id', () => {
    it('somebody else deletes it: not found, and not counted twice', async () => {
      await create();
      const request = (): Promise<ApiResponse> => founder.delete(path, ifMatch(0));
      expectOutcome(await during(() => second.delete(path), request), 'apiNotFound');
      expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
    });

    it('its Organization is deleted: not found', async () => {
      expectOutcome(await during(removeOrganization, () => founder.delete(path)), 'apiNotFound');
    });
  });
});

describe('after the guards', () => {
  const during = (event: Event, target: string): Promise<ApiResponse> =>
    meanwhile(service, 'after the guards', event, () => founder.get(target));

  it('of GET /apis the caller is removed: the list shows them no private APIs', async () => {
    await create();
    const response = await during(removeFounder, `/apis?organizationId=${organization._id}`);
    expect(idsOf(response)).toEqual([api._id]);
  });

  it('of GET /apis the Organization is deleted: the list is empty', async () => {
    expect(idsOf(await during(removeOrganization, `/apis?organizationId=${organization._id}`))).toEqual([]);
  });

  it('of GET /organizations/:id/apis the Organization is deleted: not found', async () => {
    expectOutcome(await during(removeOrganization, `${organizationPath}/apis`), 'organizationNotFound');
  });
});

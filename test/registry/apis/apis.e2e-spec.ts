import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { withKey } from '../api-keys/keys';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { backdate, createOrganization, etag, idsOf, NOTHING } from '../../support/records';
import { useService } from '../../support/service';
import { apiBody, createApi, feature } from './api-records';

const FLAGS = { isPublic: false, acceptsConsumers: true };
const NO_END = { version: null, sunsetAt: null, successorId: null };
const DEFAULTS = { description: '', lifecycleStatus: 'design', ...FLAGS, documentationUrl: null, ...NO_END };
const NO_CONTACT = { contactName: null, contactEmail: null, contactPhone: null, contactUrl: null };
const NO_DEFINITION = { definitionUrl: null, definitionType: null };
const service = useService();
let manager: Client;
let organization: OrganizationDto;
beforeAll(async () => {
  manager = await service.account();
});
beforeEach(async () => {
  organization = await createOrganization(manager);
});

const create = (fields = {}): Promise<ApiDto> => createApi(manager, organization._id, fields);
const post = (fields: object, { _id } = organization, client = manager): Promise<ApiResponse> =>
  client.post(`/organizations/${_id}/apis`, apiBody(fields));
const put = (api: ApiDto, fields: object, by = manager): Promise<ApiResponse> =>
  by.put(`/apis/${api._id}`, { ...api, ...fields });
const featured = async (): Promise<string[]> =>
  (await manager.get(`/organizations/${organization._id}`)).body.featuredApiIds as string[];

describe('POST /organizations/:id/apis', () => {
  it('creates an API, with defaults', async () => {
    const response = await post({ name: ' Net  Sizes ', url: 'https://nets.example' });
    const { _id, createdAt } = response.body.data;
    const given = {
      name: 'Net  Sizes',
      url: 'https://nets.example',
      ...DEFAULTS,
      ...NO_DEFINITION,
      tags: [],
      externalId: null,
      reviewedAt: null,
    };
    const slugs = { slug: 'net-sizes', friendlySlugs: { slug: { base: 'net-sizes', index: 0 } } };
    const made = { _id, organizationId: organization._id, createdBy: manager.id, createdAt, updatedAt: createdAt };
    expect(response).toMatchObject({ status: 201, headers: { location: `/apis/${_id}`, etag: etag(0) } });
    expect(response.body).toEqual({ status: 'success', data: { ...given, ...NO_CONTACT, ...slugs, ...made } });
    expect(await service.stored('Api', response.body.data._id)).toMatchObject({
      ...given,
      nameKey: 'net sizes',
      searchText: 'net sizes\nhttps://nets.example\n',
      slugs: [{ text: 'net-sizes', base: 'net-sizes', index: 0 }],
      revision: 0,
      referenceCount: 0,
    });
    expect((await manager.get(`/apis/${_id}`)).body).toEqual(response.body.data);
  });

  it('takes a name or an externalId that another Organization has, and reports the name where it has both', async () => {
    const taken = { name: 'Straße', externalId: 'nets' };
    await create(taken);
    expectError(await post({ ...taken, name: 'STRASSE' }), 'apiNameTaken');
    const elsewhere = await createApi(manager, (await createOrganization(manager))._id, { ...taken, name: 'STRASSE' });
    expect(elsewhere.friendlySlugs.slug).toEqual({ base: 'strasse', index: 1 });
  });

  it('takes an externalId from Managers, also with an API key, and so does PUT', async () => {
    const { program } = await withKey(manager);
    const { data } = (await post({ externalId: 'by key' }, organization, program)).body;
    expect((await put(data as ApiDto, { externalId: 'another' }, program)).body.data.externalId).toBe('another');
  });
});

describe('one API', () => {
  let api: ApiDto;
  beforeEach(async () => {
    api = await create({ isPublic: true });
  });

  it('clears the type of a definition with its URL', async () => {
    const definition = { definitionUrl: 'https://nets.example/openapi.json', definitionType: 'openapi' };
    for (const definitionUrl of [null, undefined, ' ']) {
      expect((await put(api, definition)).body.data).toMatchObject(definition);
      expect((await put(api, { ...definition, definitionUrl })).body.data).toMatchObject(NO_DEFINITION);
    }
  });

  it('leaves the featured ones when it becomes private', async () => {
    const other = await create({ isPublic: true });
    await feature(manager, organization, api, other);
    const longAgo = await backdate(service, 'Organization', organization._id);
    await put(api, { isPublic: false });
    const { body, headers } = await manager.get(`/organizations/${organization._id}`);
    expect({ ids: body.featuredApiIds, etag: headers.etag }).toEqual({ ids: [other._id], etag: etag(2) });
    expect(body.updatedAt).not.toBe(longAgo);
    await put(api, { isPublic: true });
    expect(await featured()).toEqual([other._id]);
  });
});

describe('featuredApiIds of an Organization', () => {
  let apis: [ApiDto, ApiDto];
  beforeEach(async () => {
    apis = [await create({ isPublic: true }), await create({ isPublic: true })];
  });

  it('are its own public APIs in the order of the request, and can be reordered and removed', async () => {
    const [one, two] = apis;
    const response = await feature(manager, organization, two, one);
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect(response.body.data.featuredApiIds).toEqual([two._id, one._id]);
    for (const order of [[one, two], [two], []]) {
      await feature(manager, organization, ...order);
      expect(await featured()).toEqual(order.map(({ _id }) => _id));
    }
    expect(await service.stored('Api', one._id)).toMatchObject({ referenceCount: 1, revision: 0 });
  });

  it('are neither private nor foreign nor anything else (5012 at the index)', async () => {
    const [one] = apis;
    const foreign = await createApi(manager, (await createOrganization(manager))._id, { isPublic: true });
    const closed = await create();
    await feature(manager, organization, one);
    for (const wrong of [closed, foreign, organization, { _id: NOTHING }])
      expectFieldErrors(await feature(manager, organization, one, wrong), ['namesNothing', 'featuredApiIds.1']);
    expectFieldErrors(await feature(manager, organization, closed, foreign), ['namesNothing', 'featuredApiIds.0']);
    expect(await featured()).toEqual([one._id]);
  });
});

describe('the end of an API', () => {
  let api: ApiDto;
  let successor: ApiDto;
  beforeEach(async () => {
    api = await create({ isPublic: true });
    successor = await create();
  });

  it('names as its successor another API of its Organization, and nothing else (5012), for every caller', async () => {
    const foreign = await createApi(manager, (await createOrganization(manager))._id, { isPublic: true });
    for (const by of [manager, service.admin]) {
      for (const { _id } of [api, foreign, organization])
        expectFieldErrors(await put(api, { successorId: _id }, by), ['namesNothing', 'successorId']);
      expect((await put(api, { successorId: successor._id }, by)).body.data).toMatchObject({
        successorId: successor._id,
      });
    }
    expectFieldErrors(await post({ successorId: foreign._id }), ['namesNothing', 'successorId']);
    expect((await post({ successorId: api._id })).status).toBe(201);
  });

  it('shows its successor to all who see the API, also where that is private', async () => {
    await put(api, { successorId: successor._id });
    const account = await service.account();
    expect((await account.get(`/apis/${api._id}`)).body).toMatchObject({ successorId: successor._id });
    expectOutcome(await account.get(`/apis/${successor._id}`), 'forbidden');
  });

  it('has a successor that can lead back to it', async () => {
    await put(api, { successorId: successor._id });
    expectOutcome(await put(successor, { successorId: api._id }), 200);
    expectOutcome(await manager.delete(`/organizations/${organization._id}`), 204);
  });
});

describe('sunsetBefore and sunsetAfter in a list of APIs', () => {
  const DATES = ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30', null];
  let ends: Map<string, string | null>;
  beforeEach(async () => {
    ends = new Map();
    for (const sunsetAt of DATES) ends.set((await create({ sunsetAt }))._id, sunsetAt);
  });

  /** The ends of the APIs that both lists find. */
  async function found(filter: string): Promise<(string | null)[]> {
    const { _id } = organization;
    const [all, own] = [
      await manager.get(`/apis?organizationId=${_id}&${filter}`),
      await manager.get(`/organizations/${_id}/apis?${filter}`),
    ].map(idsOf);
    expect(all).toEqual(own);
    return own!.map((id) => ends.get(id)!);
  }

  it.each([
    ['2027-03-30T23:00:00Z', []],
    ['2027-03-31T01:00:00.001+02:00', ['2027-03-31T01:00+02:00']],
    ['2027-03-31', ['2027-03-31T01:00+02:00', '2027-03-30']],
    ['2027-03-31T23:59:59.999Z', ['2027-03-31T01:00+02:00', '2027-03-30']],
    ['2027-04-01T02:00+02:00', ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30']],
    ['2027-04-01', ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30']],
    ['0000-01-01', []],
  ])(
    'finds, by %s, the APIs whose end has passed, with a date alone when its day has ended: %j; the others end later',
    async (date, expected) => {
      expect(await found(`sunsetBefore=${encodeURIComponent(date)}`)).toEqual(expected);
      const later = DATES.filter((end) => end !== null && !(expected as unknown[]).includes(end));
      expect(await found(`sunsetAfter=${encodeURIComponent(date)}`)).toEqual(later);
    },
  );

  it('finds, by both, the APIs that end between them', async () => {
    expect(await found('sunsetAfter=2027-03-31&sunsetBefore=2027-04-01')).toEqual(['2027-03-31']);
  });

  it('finds an API by the sunsetAt that it has now', async () => {
    const api = await create({ sunsetAt: '2026-12-31' });
    for (const [sunsetAt, ids] of [
      ['2026-12-31T00:00Z', [api._id]],
      [undefined, []],
    ] as const) {
      await put(api, { sunsetAt });
      const list = `/organizations/${organization._id}/apis?sunsetBefore=2027-01-01`;
      expect(idsOf(await manager.get(list))).toEqual(ids);
    }
  });
});

describe('other filters of the lists of APIs', () => {
  it('find with managerId those of the Organizations that a User or the caller manages, of one with organizationId', async () => {
    const client = await service.account();
    const [first, second] = [await createOrganization(client), await createOrganization(client)];
    const own = await createApi(client, first._id);
    const open = await createApi(client, second._id, { isPublic: true });
    const find = async (by: Client, query: string): Promise<string[]> => idsOf(await by.get(`/apis?${query}`));
    expect(await find(client, 'managerId=me')).toEqual([own._id, open._id]);
    expect(await find(service.admin, `managerId=${client.id}`)).toEqual([own._id, open._id]);
    expect(await find(manager, `managerId=${client.id}`)).toEqual([open._id]);
    expect(await find(client, `managerId=me&organizationId=${first._id}`)).toEqual([own._id]);
    expect(await find(client, `managerId=me&organizationId=${organization._id}`)).toEqual([]);
  });

  it('find with updatedBefore those that were not changed since', async () => {
    const [old, fresh] = [await create(), await create()];
    const since = await backdate(service, 'Api', old._id);
    const find = async (query: string): Promise<string[]> =>
      idsOf(await manager.get(`/organizations/${organization._id}/apis?${query}`));
    expect(await find('updatedBefore=2020-01-01')).toEqual([old._id]);
    expect(await find(`updatedBefore=${since}`)).toEqual([]);
    expect(await find(`updatedBefore=2999-01-01&updatedSince=${fresh.createdAt}`)).toEqual([fresh._id]);
  });

  it('find with hasContact=false those without any of the four fields', async () => {
    const contacts = {
      contactName: 'Ada',
      contactEmail: 'a@b.example',
      contactPhone: '12345',
      contactUrl: 'https://a.b',
    };
    const none = await create();
    const some: string[] = [];
    for (const contact of Object.entries(contacts)) some.push((await create(Object.fromEntries([contact])))._id);
    const find = async (has: boolean): Promise<string[]> =>
      idsOf(await manager.get(`/organizations/${organization._id}/apis?hasContact=${has}`));
    expect(await find(false)).toEqual([none._id]);
    expect(await find(true)).toEqual(some);
  });
});

describe('sort in a list of APIs', () => {
  const list = async (sort: string, rest = ''): Promise<ApiDto[]> =>
    (await manager.get(`/apis?managerId=me&sort=${sort}${rest}`)).body.data as ApiDto[];

  it('is by name as names are compared, and by _id where they are the same; - is the exact reverse', async () => {
    manager = await service.account();
    const [first, second] = [await createOrganization(manager), await createOrganization(manager)];
    for (const name of ['beta', 'Alpha 10', 'ＡＬＰＨＡ', 'Ångström', 'zeta'])
      for (const { _id } of [first, second]) await createApi(manager, _id, { name });
    const sorted = await list('name');
    const names = ['ＡＬＰＨＡ', 'Alpha 10', 'beta', 'zeta', 'Ångström'];
    expect(sorted.map(({ name }) => name)).toEqual(names.flatMap((name) => [name, name]));
    expect(sorted.map(({ organizationId }) => organizationId)).toEqual(names.flatMap(() => [first._id, second._id]));
    expect(await list('-name')).toEqual(sorted.toReversed());
    const found = (await list('name', '&q=alpha')).map(({ name }) => name);
    expect(found).toEqual(names.slice(0, 2).flatMap((name) => [name, name]));
  });

  it('is by the last moment of sunsetAt, and those without one come last, by _id', async () => {
    manager = await service.account();
    const { _id } = await createOrganization(manager);
    const made: string[] = [];
    const ends = [null, '2027-03-31', '9999-12-31', '2027-03-31T23:00Z', null, '0000-01-01', '2027-04-01T00:00+01:00'];
    for (const sunsetAt of ends) made.push((await createApi(manager, _id, { sunsetAt }))._id);
    const sorted = [5, 3, 6, 1, 2, 0, 4];
    expect((await list('sunsetAt')).map((api) => api._id)).toEqual(sorted.map((at) => made[at]));
    const cleared = (await list('sunsetAt'))[0]!;
    await manager.put(`/apis/${cleared._id}`, { ...cleared, sunsetAt: null });
    expect((await list('sunsetAt')).map(({ sunsetAt }) => sunsetAt)).toEqual([
      ...[3, 6, 1, 2].map((at) => ends[at]),
      ...[null, null, null],
    ]);
  });
});

it('a PUT without reviewedAt keeps it, and an Event names it without its values', async () => {
  const api = await create({ reviewedAt: '2026-03-16' });
  expect(await put(api, { reviewedAt: undefined, version: '2' })).toMatchObject({
    body: { data: { version: '2', reviewedAt: '2026-03-16' } },
  });
  await put(api, { reviewedAt: '2026-03-17', version: '2' });
  const { body } = await manager.get(`/organizations/${organization._id}/events?limit=1`);
  expect(body.data).toMatchObject([{ type: 'api.updated', changes: [{ field: 'reviewedAt' }] }]);
});

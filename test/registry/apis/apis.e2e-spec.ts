import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { MAX_APIS } from '../../../src/registry/apis/api.schema';
import { fill } from '../managers/fill';
import { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { backdate, createOrganization, etag, NOTHING, organizationBody } from '../../support/records';
import { useService } from '../../support/service';
import { apiBody, createApi, feature, longApi } from './api-records';

const FLAGS = { isPublic: false, acceptsConsumers: true };
const NO_END = { version: null, sunsetAt: null, successorId: null };
const DEFAULTS = { description: '', lifecycleStatus: 'design', ...FLAGS, documentationUrl: null, ...NO_END };
const NO_CONTACT = { contactName: null, contactEmail: null, contactPhone: null, contactUrl: null };
const NO_DEFINITION = { definitionUrl: null, definitionType: null };
const OTHERS = {
  ...{ description: 'x', version: '2.1', lifecycleStatus: 'testing', sunsetAt: '2027-03-31', isPublic: true },
  documentationUrl: 'http://d.example',
};

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
const featured = async (): Promise<string[]> =>
  (await manager.get(`/organizations/${organization._id}`)).body.featuredApiIds as string[];

describe('POST /organizations/:id/apis', () => {
  const post = (body: object): Promise<ApiResponse> => manager.post(`/organizations/${organization._id}/apis`, body);

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

  it('accepts every field, and does not change the response of the Organization', async () => {
    expect(await create(OTHERS)).toMatchObject(OTHERS);
    expect(await service.stored('Organization', organization._id)).toMatchObject({ revision: 0 });
  });

  it('refuses a name that the Organization has in another case, and accepts it in another Organization', async () => {
    await create({ name: 'Straße' });
    expectError(await post(apiBody({ name: 'STRASSE' })), 'apiNameTaken');
    const elsewhere = await createApi(manager, (await createOrganization(manager))._id, { name: 'STRASSE' });
    expect(elsewhere.friendlySlugs.slug).toEqual({ base: 'strasse', index: 1 });
  });
});

describe('one API', () => {
  let api: ApiDto;
  let path: string;
  beforeEach(async () => {
    api = await create(OTHERS);
    path = `/apis/${api._id}`;
  });
  const put = (fields: object): Promise<ApiResponse> => manager.put(path, { ...api, ...fields });

  describe('PUT /apis/:id', () => {
    it('replaces: what is left out has its default again, and read-only fields are ignored', async () => {
      const readOnly = { organizationId: NOTHING, slug: 5 };
      const response = await manager.put(path, { name: api.name, url: 'https://other.example', ...readOnly });
      const { updatedAt } = response.body.data;
      expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
      expect(response.body.data).toEqual({ ...api, ...DEFAULTS, url: 'https://other.example', updatedAt });
      expect(await service.stored('Api', api._id)).toMatchObject({ ...DEFAULTS, revision: 1 });
      expect((await manager.get(path)).body).toEqual(response.body.data);
    });

    it('clears the type of a definition with its URL', async () => {
      const definition = { definitionUrl: 'https://nets.example/openapi.json', definitionType: 'openapi' };
      for (const definitionUrl of [null, undefined, ' ']) {
        expect((await put(definition)).body.data).toMatchObject(definition);
        expect((await put({ ...definition, definitionUrl })).body.data).toMatchObject(NO_DEFINITION);
      }
    });

    it('that is refused for its name leaves a featured API featured', async () => {
      const other = await create();
      await feature(manager, organization, api);
      expectError(await put({ name: other.name.toUpperCase(), isPublic: false }), 'apiNameTaken');
      expect(await featured()).toEqual([api._id]);
    });

    it.each([false, true])(
      'removes an API that becomes private from the featured ones; renamed: %s',
      async (renamed) => {
        const other = await create({ isPublic: true });
        await feature(manager, organization, api, other);
        const longAgo = await backdate(service, 'Organization', organization._id);
        await put({ isPublic: false, ...(renamed && { name: `${api.name} renamed` }) });
        const { body, headers } = await manager.get(`/organizations/${organization._id}`);
        expect({ ids: body.featuredApiIds, etag: headers.etag }).toEqual({ ids: [other._id], etag: etag(2) });
        expect(body.updatedAt).not.toBe(longAgo);
        await put({ isPublic: true });
        expect(await featured()).toEqual([other._id]);
      },
    );
  });

  describe('DELETE /apis/:id', () => {
    it('deletes the API', async () => {
      expect(await manager.delete(path)).toMatchObject({ status: 204, text: '' });
      expectError(await manager.get(path), 'apiNotFound');
      expectError(await manager.delete(path), 'apiNotFound');
    });

    it('removes it from the featured APIs, which changes the Organization', async () => {
      const other = await create({ isPublic: true });
      await feature(manager, organization, api, other);
      const longAgo = await backdate(service, 'Organization', organization._id);
      await manager.delete(path);
      const { body, headers } = await manager.get(`/organizations/${organization._id}`);
      expect({ ids: body.featuredApiIds, etag: headers.etag }).toEqual({ ids: [other._id], etag: etag(2) });
      expect(body.updatedAt).not.toBe(longAgo);
    });
  });
});

describe('DELETE /organizations/:id', () => {
  it('deletes 1,000 APIs, all with long and different texts, and 500 Managers in twice the time they took to store', async () => {
    const begun = performance.now();
    const { _id } = organization;
    await fill(service, organization, manager, 499);
    for (let count = 0; count < MAX_APIS; count += 50) {
      const apis = Array.from({ length: 50 }, () => longApi(organization));
      await service.connection.collection('apis').insertMany(apis);
    }
    const stored = performance.now();
    expect(await manager.delete(`/organizations/${_id}`)).toMatchObject({ status: 204 });
    expect(performance.now() - stored).toBeLessThan(2 * (stored - begun));
    expect(await service.model('Api').countDocuments({ organizationId: _id })).toBe(0);
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

  it('are not accepted for a new Organization', async () => {
    const body = organizationBody({ featuredApiIds: [apis[0]._id] });
    expectFieldErrors(await manager.post('/organizations', body), ['namesNothing', 'featuredApiIds.0']);
    expect(await service.model('Organization').countDocuments({ name: body.name })).toBe(0);
  });
});

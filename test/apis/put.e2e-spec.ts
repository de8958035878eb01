import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDto } from '../../src/apis/api.dto';
import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { createOrganization, idsOf, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';
import { apiBody, createApi, feature, storedApi, storedOrganization } from './api-records';

let service: Service;
let manager: Client;
let organization: OrganizationDto;
let api: ApiDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(manager);
  const fields = { description: 'x', lifecycleStatus: 'testing', isPublic: true, documentationUrl: 'http://d.example' };
  api = await createApi(manager, organization._id, fields);
  path = `/apis/${api._id}`;
  await sleep(2); // so that a later updatedAt differs
});

describe('PUT /apis/:id', () => {
  it('replaces: what is left out has its default again', async () => {
    const answer = await manager.put(path, { name: api.name, url: 'https://other.example' });
    const { updatedAt } = answer.body.data;
    const defaults = { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null };
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    expect(answer.body.data).toEqual({ ...api, ...defaults, url: 'https://other.example', updatedAt });
    expect(updatedAt > api.updatedAt).toBe(true);
    expect(await storedApi(service, api)).toMatchObject({ ...defaults, revision: 1 });
    expect((await manager.get(path)).body).toEqual(answer.body.data);
  });

  it('changes nothing when it says what is there; read-only fields are passed over', async () => {
    const answer = await manager.put(path, { ...api, organizationId: NOTHING, slug: 5 });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-0"' }, body: { data: api } });
    expect(await storedApi(service, api)).toMatchObject({ revision: 0, organizationId: expect.anything() });
  });

  it.each([
    ['name', 'Other'],
    ['url', 'https://other.example'],
    ['description', 'other'],
    ['lifecycleStatus', 'deprecated'],
    ['isPublic', false],
    ['documentationUrl', null],
  ])('takes a change of %s alone for a change', async (field, value) => {
    const answer = await manager.put(path, { ...api, [field]: value });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' }, body: { data: { [field]: value } } });
    expect((await manager.get(path)).body).toEqual(answer.body.data);
  });

  it('keeps the slug for a name with the same base, makes another for any other, and finds the Api by the old one', async () => {
    const [first, second] = [`a${api.slug}`, `b${api.slug}`];
    const named = async (name: string): Promise<string> => (await manager.put(path, { ...api, name })).body.data.slug;
    expect(await named(first)).toBe(first);
    expect(await named(`${first}!`)).toBe(first);
    expect(await named(second)).toBe(second);
    expect(idsOf(await manager.get(`/apis?slug=${first}`))).toEqual([api._id]);
    expect(await createApi(manager, organization._id, { name: first })).toMatchObject({ slug: `${first}-1` });
    expect(await named(`${first} ?`)).toBe(first);
  });

  it('refuses the name of another Api of the Organization, and gives up the former name', async () => {
    const other = await createApi(manager, organization._id);
    expectFailure(await manager.put(path, { ...api, name: other.name.toUpperCase() }), 'apiNameTaken');
    expect((await manager.get(path)).body).toEqual(api);
    await manager.put(path, { ...api, name: `${api.name} 2` });
    expect(await createApi(manager, organization._id, { name: api.name })).toMatchObject({ name: api.name });
    await manager.put(path, { ...api, name: `${api.name} 3` });
    const taken = { ...other, name: `${api.name} 2` };
    expect(await manager.put(`/apis/${other._id}`, taken)).toMatchObject({ status: 200 });
  });

  it('judges faults before If-Match, and If-Match before conflicts', async () => {
    const stale = { 'if-match': '"1-9"' };
    const other = await createApi(manager, organization._id);
    expectFaults(await manager.put(path, {}, stale), ['missing', 'name'], ['missing', 'url']);
    expectFailure(await manager.put(path, { ...api, name: other.name }, stale), 'preconditionFailed');
    expectFailure(await manager.put(path, api, stale), 'preconditionFailed');
    expect(await manager.put(path, { ...api, url: 'http://u.example' }, { 'if-match': '"1-0"' })).toMatchObject({
      status: 200,
    });
  });

  it('is for the Managers of the Organization and Admins, and for Apis that exist', async () => {
    const other = await service.account();
    expectFailure(await service.nobody.put(path, api), 'noCredentials');
    expectFailure(await other.put(path, 'no JSON'), 'forbidden');
    expectFailure(await other.put(`/apis/${NOTHING}`, api), 'apiNotFound');
    expect(await service.admin.put(path, { ...api, description: 'by the Admin' })).toMatchObject({ status: 200 });
  });

  it('takes an Api that it turns private out of the featured ones, and the Organization shows the change', async () => {
    const other = await createApi(manager, organization._id, { isPublic: true });
    const featuring = await feature(manager, organization, other, api);
    await sleep(2);
    await manager.put(path, { ...api, isPublic: false });
    const after = await manager.get(`/organizations/${organization._id}`);
    expect(after.body.featuredApiIds).toEqual([other._id]);
    expect(after.headers.etag).toBe('"1-2"');
    expect(after.body.updatedAt > featuring.body.data.updatedAt).toBe(true);
  });

  it('keeps a featured Api featured when it is renamed', async () => {
    await feature(manager, organization, api);
    expect((await manager.put(path, { ...api, name: `${api.name} renamed` })).status).toBe(200);
    const { featuredApiIds, revision } = await storedOrganization(service, organization);
    expect([featuredApiIds.map(String), revision]).toEqual([[api._id], 1]);
  });

  it.each([true, false])('is one update where the name and isPublic, %s, stay', async (isPublic) => {
    const own = await createApi(manager, organization._id, { isPublic });
    const run = jest.spyOn(service.app.get(Transactions), 'run');
    const answer = await manager.put(`/apis/${own._id}`, { ...own, name: own.name.toUpperCase(), description: 'x' });
    expect(run).not.toHaveBeenCalled();
    run.mockRestore();
    expect(await storedApi(service, own)).toMatchObject({ name: answer.body.data.name, description: 'x', isPublic });
  });

  it('leaves the Organization as it is when an Api turns private that is not featured', async () => {
    await manager.put(path, { ...api, isPublic: false });
    expect(await storedOrganization(service, organization)).toMatchObject({ revision: 0 });
  });

  it('turns nothing private and features it still when either cannot be written', async () => {
    await feature(manager, organization, api);
    const lost = jest.spyOn(service.model('Api'), 'findOneAndUpdate').mockImplementationOnce(() => {
      throw new Error('lost');
    });
    expectFailure(await manager.put(path, { ...api, isPublic: false }), 'unexpected');
    lost.mockRestore();
    const { featuredApiIds, revision } = await storedOrganization(service, organization);
    expect({ featuredApiIds: featuredApiIds.map(String), revision }).toEqual({
      featuredApiIds: [api._id],
      revision: 1,
    });
    expect(await storedApi(service, api)).toMatchObject({ isPublic: true, revision: 0 });
  });

  it('keeps the featured place when the new name is taken', async () => {
    const other = await createApi(manager, organization._id);
    await feature(manager, organization, api);
    expectFailure(await manager.put(path, apiBody({ name: other.name })), 'apiNameTaken');
    expect((await manager.get(`/organizations/${organization._id}`)).body.featuredApiIds).toEqual([api._id]);
    expect((await manager.get(path)).body).toEqual(api);
  });
});

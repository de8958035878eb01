import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { withKey } from '../api-keys/keys';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, idsOf } from '../../support/records';
import { useService } from '../../support/service';
import { apiBody, createApi } from './api-records';

const service = useService();
let manager: Client;
let organization: OrganizationDto;
let api: ApiDto;
beforeAll(async () => {
  manager = await service.account();
});
beforeEach(async () => {
  organization = await createOrganization(manager);
  api = await createApi(manager, organization._id);
});

const put = (changes: object, client = manager): Promise<ApiResponse> =>
  client.put(`/apis/${api._id}`, { ...api, ...changes });
const post = (fields: object, client = manager, { _id } = organization): Promise<ApiResponse> =>
  client.post(`/organizations/${_id}/apis`, apiBody(fields));

describe('externalId of an API', () => {
  it('keeps its value when it is left out; null clears it, and another API may have it then', async () => {
    const { externalId: _, ...rest } = (await put({ externalId: 'gateway 1' })).body.data;
    const kept = await manager.put(`/apis/${api._id}`, { ...rest, description: 'Kept' });
    expect(kept.body.data).toMatchObject({ externalId: 'gateway 1', description: 'Kept' });
    const taken = await post({ externalId: 'gateway 1' });
    expectError(taken, 'apiExternalIdTaken');
    expect(taken.headers.location).toBe(`/apis/${api._id}`);
    expect((await put({ externalId: null })).body.data.externalId).toBeNull();
    expect((await post({ externalId: 'gateway 1' })).status).toBe(201);
    expectError(await put({ externalId: 'gateway 1' }), 'apiExternalIdTaken');
  });

  it('is unique in its Organization, compared exactly; others may have the same one, and any number has none', async () => {
    for (const externalId of ['Same', 'same', null, null]) expect((await post({ externalId })).status).toBe(201);
    expectError(await post({ externalId: 'same' }), 'apiExternalIdTaken');
    const elsewhere = await createOrganization(manager);
    expect((await post({ externalId: 'same' }, manager, elsewhere)).status).toBe(201);
    const [ours, theirs] = await Promise.all(
      [organization, elsewhere].map(({ _id }) => manager.get(`/organizations/${_id}/apis?externalId=same`)),
    );
    const both = [...idsOf(ours!), ...idsOf(theirs!)];
    expect(both).toHaveLength(2);
    expect(idsOf(await manager.get('/apis?externalId=same'))).toEqual(both);
  });

  it('finds no API that the caller may not see', async () => {
    await put({ externalId: 'hidden' });
    const stranger = await service.account();
    for (const list of ['/apis', `/organizations/${organization._id}/apis`])
      expect(idsOf(await stranger.get(`${list}?externalId=hidden`))).toEqual([]);
    await put({ externalId: 'hidden', isPublic: true });
    expect(idsOf(await stranger.get('/apis?externalId=hidden'))).toEqual([api._id]);
  });

  it('is set by Managers, also with an API key', async () => {
    const { program } = await withKey(manager);
    expect((await put({ externalId: 'by key' }, program)).body.data.externalId).toBe('by key');
    expect((await post({ externalId: 'another by key' }, program)).status).toBe(201);
  });

  it('that both a name and an externalId of others make impossible is 1505', async () => {
    await post({ name: 'Nets', externalId: 'nets' });
    expectError(await post({ name: 'NETS', externalId: 'nets' }), 'apiNameTaken');
  });

  it.each(MOMENTS)('that another API gets during a request (%s) is refused', async (moment) => {
    const take = () => post({ externalId: 'raced' });
    const [created, changed] = [() => post({ externalId: 'raced' }), () => put({ externalId: 'raced' })];
    expectOutcome(await meanwhile(service, moment, take, created), 'apiExternalIdTaken');
    await service.model('Api').deleteMany({ externalId: 'raced' });
    expectOutcome(await meanwhile(service, moment, take, changed), 'apiExternalIdTaken');
    expect(await service.model('Api').countDocuments({ externalId: 'raced' })).toBe(1);
  });
});

import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { withKey } from '../api-keys/keys';
import type { ApiResponse, Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
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
  it('is unique in its Organization; another may have the same one', async () => {
    const elsewhere = await createOrganization(manager);
    expect((await post({ externalId: 'same' })).status).toBe(201);
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
});

import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { withKey } from '../api-keys/keys';
import { uploaded } from '../files/uploads';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { createOrganization, idsOf, ifMatch, NOTHING, organizationBody } from '../../support/records';
import { useService } from '../../support/service';

const WHO = 'Only an Admin may set an externalId.';

const service = useService();
let manager: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  manager = await service.account();
});
beforeEach(async () => {
  await service.model('Organization').deleteMany({});
  record = await createOrganization(manager);
  path = `/organizations/${record._id}`;
});

const put = (changes: object, client = service.admin, headers = {}): Promise<ApiResponse> =>
  client.put(path, { ...record, ...changes }, headers);
const post = (fields: object, client = service.admin): Promise<ApiResponse> =>
  client.post('/organizations', organizationBody(fields));

describe('externalId of an Organization', () => {
  it('is found in the form in which it was sent; what no Organization can have is no filter', async () => {
    const sent = ' Cafe\u0301 ';
    const { _id } = (await post({ externalId: sent })).body.data;
    expect(idsOf(await manager.get(`/organizations?externalId=${encodeURIComponent(sent)}`))).toEqual([_id]);
    for (const text of ['', ' ', '\u2800', 'a\u200b', 'x'.repeat(256)]) {
      const response = await manager.get(`/organizations?externalId=${encodeURIComponent(text)}`);
      expectError(response, 'invalidQuery', expect.stringContaining('"externalId"'));
    }
  });

  it('is set by Admins only, also with an API key; others may send back the current value', async () => {
    for (const externalId of ['x', ' x ']) {
      expectError(await put({ externalId }, manager), 'forbidden', WHO);
      expectError(await post({ externalId }, manager), 'forbidden', WHO);
    }
    for (const externalId of [null, '', undefined]) expect((await put({ externalId }, manager)).status).toBe(200);
    const { program } = await withKey(await service.account({ roles: ['admin'] }));
    expect((await put({ externalId: 'by key' }, program)).body.data.externalId).toBe('by key');
    expect((await post({ externalId: 'another by key' }, program)).status).toBe(201);
    expect((await put({ externalId: 'by key' }, manager)).status).toBe(200);
    expectError(await put({ externalId: null }, manager), 'forbidden', WHO);
    expectError(await put({ externalId: 'BY KEY' }, manager), 'forbidden', WHO);
  });

  it('of a caller who is no Admin is refused after field errors, and before 412 and 409', async () => {
    const externalId = 'taken';
    const other = (await post({ externalId })).body.data;
    for (const [field, wrong, title] of [
      ['featuredApiIds', [NOTHING], 'featuredApiIds.0'],
      ['organizationLogoFileId', NOTHING, 'organizationLogoFileId'],
    ] as const) {
      const fields = { externalId, name: other.name, [field]: wrong };
      expectFieldErrors(await put(fields, manager), ['namesNothing', title]);
      expectFieldErrors(await post(fields, manager), ['namesNothing', title]);
    }
    expectError(await put({ externalId, name: other.name }, manager, ifMatch(9)), 'forbidden', WHO);
    const { _id: organizationLogoFileId } = await uploaded(manager);
    expectError(await post({ externalId, name: other.name, organizationLogoFileId }, manager), 'forbidden', WHO);
    expect(await service.stored('File', organizationLogoFileId)).toMatchObject({ organizationId: null });
  });
});

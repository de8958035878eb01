import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectFaults } from '../support/expect-error';
import { createOrganization, etag, NOTHING, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';
import { createApi, feature, storedApi, storedOrganization } from './api-records';

let service: Service;
let manager: Client;
let organization: OrganizationDto;
let apis: [ApiDto, ApiDto];
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(manager);
  apis = [await publicApi(), await publicApi()];
});

const publicApi = (): Promise<ApiDto> => createApi(manager, organization._id, { isPublic: true });
const stored = async (): Promise<string[]> =>
  (await storedOrganization(service, organization)).featuredApiIds.map(String);

describe('featuredApiIds of an Organization', () => {
  it('are its own public APIs in the order of the request, and can be reordered and removed', async () => {
    const [one, two] = apis;
    const response = await feature(manager, organization, two, one);
    expect(response).toMatchObject({ status: 200, headers: { etag: etag(1) } });
    expect(response.body.data.featuredApiIds).toEqual([two._id, one._id]);
    for (const order of [[one, two], [two], []]) {
      await feature(manager, organization, ...order);
      expect(await stored()).toEqual(order.map(({ _id }) => _id));
    }
    expect(await storedApi(service, one)).toMatchObject({ referenceCount: 1, revision: 0 });
  });

  it('are neither private nor foreign nor anything else (5012 at the index)', async () => {
    const [one] = apis;
    const foreign = await createApi(manager, (await createOrganization(manager))._id, { isPublic: true });
    const closed = await createApi(manager, organization._id);
    await feature(manager, organization, one);
    for (const wrong of [closed, foreign, organization, { _id: NOTHING }])
      expectFaults(await feature(manager, organization, one, wrong), ['namesNothing', 'featuredApiIds.1']);
    expectFaults(await feature(manager, organization, closed, foreign), ['namesNothing', 'featuredApiIds.0']);
    expect(await stored()).toEqual([one._id]);
  });

  it('are not accepted for a new Organization', async () => {
    const body = organizationBody({ featuredApiIds: [apis[0]._id] });
    expectFaults(await manager.post('/organizations', body), ['namesNothing', 'featuredApiIds.0']);
    expect(await service.model('Organization').countDocuments({ name: body.name })).toBe(0);
  });
});

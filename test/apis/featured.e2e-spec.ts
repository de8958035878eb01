import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { createOrganization, NOTHING, organizationBody } from '../support/records';
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
  it('are public Apis of its own, in the order given', async () => {
    const [one, two] = apis;
    const answer = await feature(manager, organization, two, one);
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-1"' } });
    expect(answer.body.data.featuredApiIds).toEqual([two._id, one._id]);
    expect(await stored()).toEqual([two._id, one._id]);
    expect(await storedApi(service, one)).toMatchObject({ referenceCount: 1, revision: 0 });
  });

  it('may be turned round and taken out without another look at the Apis', async () => {
    const [one, two] = apis;
    await feature(manager, organization, one, two);
    expect((await feature(manager, organization, two, one)).body.data.featuredApiIds).toEqual([two._id, one._id]);
    expect((await feature(manager, organization, two)).body.data.featuredApiIds).toEqual([two._id]);
    expect(
      (await manager.put(`/organizations/${organization._id}`, organizationBody())).body.data.featuredApiIds,
    ).toEqual([]);
    expect(await storedApi(service, one)).toMatchObject({ referenceCount: 1 });
  });

  it('are neither private nor foreign nor anything else (5012 at the index)', async () => {
    const [one] = apis;
    const foreign = await createApi(manager, (await createOrganization(manager))._id, { isPublic: true });
    const closed = await createApi(manager, organization._id);
    await feature(manager, organization, one);
    for (const wrong of [closed, foreign, organization, { _id: NOTHING }]) {
      expectFaults(await feature(manager, organization, one, wrong), ['namesNothing', 'featuredApiIds.1']);
    }
    expectFaults(await feature(manager, organization, closed, foreign), ['namesNothing', 'featuredApiIds.0']);
    expect(await stored()).toEqual([one._id]);
  });

  it('are at most four, each once', async () => {
    const [one] = apis;
    const more = [...apis, await publicApi(), await publicApi()];
    expect(await feature(manager, organization, ...more)).toMatchObject({ status: 200 });
    expectFaults(await feature(manager, organization, ...more, await publicApi()), ['tooManyItems', 'featuredApiIds']);
    expectFaults(await feature(manager, organization, one, one), ['repeatedItem', 'featuredApiIds.1']);
    expect(await stored()).toEqual(more.map(({ _id }) => _id));
  });

  it('are none of a new Organization', async () => {
    const body = organizationBody({ featuredApiIds: [apis[0]._id] });
    expectFaults(await manager.post('/organizations', body), ['namesNothing', 'featuredApiIds.0']);
    expect(await service.model('Organization').countDocuments({ name: body.name })).toBe(0);
  });

  it('are judged after the other faults, and before If-Match', async () => {
    const path = `/organizations/${organization._id}`;
    const wrong = { ...organization, featuredApiIds: [NOTHING] };
    expectFaults(await manager.put(path, { ...wrong, name: '' }), ['blank', 'name']);
    expectFaults(await manager.put(path, wrong, { 'if-match': '"9"' }), ['namesNothing', 'featuredApiIds.0']);
    const right = { ...organization, featuredApiIds: [apis[0]._id] };
    expectFailure(await manager.put(path, right, { 'if-match': '"9"' }), 'preconditionFailed');
  });

  it('are not featured when the Organization cannot be written', async () => {
    const lost = jest.spyOn(service.model('Organization'), 'findOneAndUpdate').mockImplementationOnce(() => {
      throw new Error('lost');
    });
    expectFailure(await feature(manager, organization, ...apis), 'unexpected');
    lost.mockRestore();
    expect(await stored()).toEqual([]);
    expect(await storedApi(service, apis[0])).toMatchObject({ referenceCount: 0 });
  });
});

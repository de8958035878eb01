import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { EventDto } from '../../../src/registry/events/event.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { Client } from '../../support/client';
import { expectOutcome } from '../../support/expect-error';
import { createOrganization, idsOf, unique } from '../../support/records';
import { useService } from '../../support/service';
import { createApi } from '../apis/api-records';

const service = useService();
let manager: Client;
let user: Client;
let publisher: OrganizationDto;
let consumer: OrganizationDto;
let api: ApiDto;
beforeAll(async () => {
  [manager, user] = (await service.accountsOf(2)) as [Client, Client];
});
beforeEach(async () => {
  [publisher, consumer] = [await createOrganization(manager), await createOrganization(user)];
  api = await createApi(manager, publisher._id, { isPublic: true });
});

const put = async (fields: object): Promise<void> => {
  const response = await manager.put(`/apis/${api._id}`, { ...api, ...fields });
  expectOutcome(response, 200);
  api = response.body.data as ApiDto;
};
const add = (organizationId = consumer._id, by = user) => by.post(`/apis/${api._id}/consumers`, { organizationId });
const leave = () => user.delete(`/apis/${api._id}/consumers/${consumer._id}`);
const pathOf = ({ _id }: OrganizationDto): string => `/organizations/${_id}/events`;
/** The Events that the Consumer's list has of others, the oldest first. */
async function told(of = consumer, by = user): Promise<string[]> {
  const events = (await by.get(`${pathOf(of)}?sort=_id`)).body.data as EventDto[];
  return events
    .filter(({ organizationId }) => organizationId !== of._id)
    .map(({ type, changes }) => [type, ...changes.map(({ field }) => field)].join(' '));
}

describe('the Events of an Organization that uses an API', () => {
  it('have that it became a Consumer, was changed and removed', async () => {
    await add();
    await user.put(`/apis/${api._id}/consumers/${consumer._id}`, { note: 'Shop' });
    await leave();
    expect(await told()).toEqual(['consumer.created', 'consumer.updated note', 'consumer.deleted']);
  });

  it('have the changes of its lifecycle, its end and its successor, and no others', async () => {
    await add();
    const successor = await createApi(manager, publisher._id);
    await put({ lifecycleStatus: 'deprecated', contactName: 'Grace' });
    await put({ sunsetAt: '2027-03-31' });
    await put({ successorId: successor._id });
    await put({ description: unique(), tags: ['nets'], version: '2', url: null });
    await manager.delete(`/apis/${successor._id}`);
    expect(await told()).toEqual([
      'consumer.created',
      'api.updated lifecycleStatus contactName',
      'api.updated sunsetAt',
      'api.updated successorId',
      'api.updated successorId',
    ]);
    const [end] = (await user.get(`${pathOf(consumer)}?since=${api.createdAt}&actorId=${manager.id}&sort=_id&skip=1`))
      .body.data;
    expect(end).toMatchObject({
      ...{ type: 'api.updated', resourceId: api._id, organizationId: publisher._id },
      changes: [{ field: 'sunsetAt', from: null, to: '2027-03-31' }],
    });
  });

  it('have that the API was deleted, and that it is no Consumer any more with it', async () => {
    await add();
    await manager.delete(`/apis/${api._id}`);
    expect((await told()).sort()).toEqual(['api.deleted', 'consumer.created', 'consumer.deleted']);
  });

  it('have that its Organization was deleted, by the Consumer that goes with it', async () => {
    await add();
    await manager.delete(`/organizations/${publisher._id}`);
    expect(await told()).toEqual(['consumer.created', 'consumer.deleted']);
  });

  it('have nothing from before it used the API, or after', async () => {
    await put({ lifecycleStatus: 'deprecated' });
    await add();
    await leave();
    await put({ sunsetAt: '2027-03-31' });
    await manager.delete(`/apis/${api._id}`);
    expect(await told()).toEqual(['consumer.created', 'consumer.deleted']);
  });

  it('have nothing while the API is private', async () => {
    await add();
    await put({ isPublic: false, lifecycleStatus: 'deprecated' });
    await put({ sunsetAt: '2027-03-31' });
    await leave();
    await add(consumer._id, service.admin);
    await manager.delete(`/apis/${api._id}`);
    expect(await told()).toEqual(['consumer.created']);
  });

  it('have what happens when the API is public again', async () => {
    await add();
    await put({ isPublic: false });
    await put({ isPublic: true, sunsetAt: '2027-03-31' });
    expect(await told()).toEqual(['consumer.created', 'api.updated sunsetAt isPublic']);
  });

  it('are its own, and those of the API for each Consumer', async () => {
    const other = await createOrganization(user);
    const none = await createOrganization(user);
    const ofAnother = await createOrganization(user);
    const another = await createApi(manager, publisher._id, { isPublic: true });
    await add();
    await add(other._id);
    await user.post(`/apis/${another._id}/consumers`, { organizationId: ofAnother._id });
    await put({ sunsetAt: '2027-03-31' });
    expect(await told()).toEqual(['consumer.created', 'api.updated sunsetAt']);
    expect(await told(other)).toEqual(['consumer.created', 'api.updated sunsetAt']);
    expect(await told(none)).toEqual([]);
    expect(await told(ofAnother)).toEqual(['consumer.created']);
    const { body } = await service.admin.get(`/events?organizationId=${consumer._id}`);
    expect((body.data as EventDto[]).map(({ type }) => type)).toEqual(['manager.created', 'organization.created']);
  });
});

it('an Organization that uses its own API has each Event once, and sees those of its Consumers', async () => {
  await add();
  await add(publisher._id, manager);
  await put({ sunsetAt: '2027-03-31' });
  const ids = idsOf(await manager.get(pathOf(publisher)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(6);
});

import { Types } from 'mongoose';
import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { EventDto } from '../../../src/registry/events/event.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import { type Expected, expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, idsOf, newManager, NOTHING, organizationBody, unique } from '../../support/records';
import { storeCopies } from '../../support/copies';
import { useService } from '../../support/service';
import { Stage } from '../../support/stage';
import { createApi } from '../apis/api-records';

const service = useService();
/** A Manager of the API, and one of the Consumer. */
let manager: Client;
let user: Client;
let stranger: Client;
let publisher: OrganizationDto;
let consumer: OrganizationDto;
let api: ApiDto;
let path: string;
let one: string;
beforeAll(async () => {
  [manager, user, stranger] = (await service.accountsOf(3)) as [Client, Client, Client];
});
beforeEach(async () => {
  [publisher, consumer] = [await createOrganization(manager), await createOrganization(user)];
  api = await createApi(manager, publisher._id, { name: 'Prices', isPublic: true });
  path = `/apis/${api._id}/consumers`;
  one = `${path}/${consumer._id}`;
});

const add = (fields: object = {}, client = user): Promise<ApiResponse> =>
  client.post(path, { organizationId: consumer._id, ...fields });
const putApi = async (fields: object): Promise<void> =>
  void (api = (await manager.put(`/apis/${api._id}`, { ...api, ...fields })).body.data as ApiDto);
const rename = (name: string): Promise<ApiResponse> =>
  user.put(`/organizations/${consumer._id}`, organizationBody({ name }));
const eventsOf = async ({ _id }: { _id: string }, by: Client): Promise<EventDto[]> =>
  (await by.get(`/organizations/${_id}/events`)).body.data as EventDto[];

describe('POST /apis/:id/consumers', () => {
  it('makes an Organization a Consumer, without a change of it or of the API', async () => {
    const response = await add({ note: 'In our shop.' });
    const { createdAt } = response.body.data;
    expect(response).toMatchObject({ status: 201, headers: { location: one } });
    const { _id, name, slug } = consumer;
    expect(response.body.data).toEqual({ _id, name, slug, note: 'In our shop.', createdBy: user.id, createdAt });
    const shown = await stranger.get(one);
    expect(shown).toMatchObject({ body: response.body.data, headers: { etag: response.headers.etag } });
    expect((await stranger.get(path)).body.data).toEqual([shown.body]);
    expect((await user.get(`/organizations/${_id}`)).body).toEqual(consumer);
    expect((await user.get(`/apis/${api._id}`)).body).toEqual(api);
  });

  it('takes an Organization that exists, and that the caller manages, unless they manage the API or are an Admin', async () => {
    for (const client of [user, service.admin])
      expectFieldErrors(await add({ organizationId: api._id }, client), ['namesNothing', 'organizationId']);
    expectFieldErrors(await add({ organizationId: 'me' }), ['badFormat', 'organizationId']);
    const managers = 'a Manager of the Organization that the body names, a Manager of the API';
    expectError(await add({}, stranger), 'forbidden', `Only ${managers} or an Admin may do this.`);
    for (const client of [manager, service.admin]) {
      expectOutcome(await add({}, client), 201);
      expectOutcome(await user.delete(one), 204);
    }
  });

  it('compares the caller with the Organization after the content, and before an existing Consumer', async () => {
    await add();
    expectFieldErrors(await add({ note: 1 }, stranger), ['wrongType', 'note']);
    expectFieldErrors(await add({ organizationId: NOTHING, more: 1 }), ['unknownField', 'more']);
    expectError(await add({}, stranger), 'forbidden');
    expectError(await add(), 'consumerExists');
  });

  it('is refused to others than its Managers and Admins where the API accepts no Consumers, before the body', async () => {
    await add();
    await putApi({ acceptsConsumers: false });
    expectError(await user.post(path, '{'), 'forbidden', 'Only a Manager of its Organization or an Admin may do this.');
    expectOutcome(await user.get(one), 200);
    expectOutcome(await user.put(one, { note: 'Still.' }), 200);
    for (const client of [manager, service.admin]) {
      const other = await createOrganization(stranger);
      expectOutcome(await add({ organizationId: other._id }, client), 201);
    }
  });

  it('keeps 500 of the 1,000 places of an Organization for its Managers and Admins', async () => {
    const fields = { consumerId: new Types.ObjectId(consumer._id) };
    await storeCopies(await Stage.of(service), 'Consumer', fields, 499);
    expectOutcome(await add({}, manager), 201);
    expectError(await add({}, manager), 'consumerExists');
    const addToAnother = async (client: Client): Promise<ApiResponse> => {
      const { _id } = await createApi(manager, publisher._id, { isPublic: true });
      return client.post(`/apis/${_id}/consumers`, { organizationId: consumer._id });
    };
    const message = 'The Consumer uses 500 APIs: only its own Managers and Admins may add more.';
    expectError(await addToAnother(manager), 'tooMany', message);
    for (const client of [user, service.admin]) expectOutcome(await addToAnother(client), 201);
  });
});

describe('a Consumer', () => {
  beforeEach(() => add({ note: 'Stores' }));

  it('is changed by its Managers, and not by those of the API', async () => {
    expectError(await manager.put(one, { note: 'Ours' }), 'forbidden');
    const { body } = await user.get(one);
    const put = await user.put(one, { ...body, name: 'Another', note: ' Two\r\nlines ' });
    expect(put.body.data).toEqual({ ...body, note: 'Two\nlines' });
    expect((await user.get(one)).headers.etag).toBe(put.headers.etag);
    expect((await user.put(one, {})).body.data.note).toBe('');
    expectFieldErrors(await user.put(one, { organizationId: consumer._id }), ['unknownField', 'organizationId']);
  });

  it('of an API that is private now can be removed by its Managers, who may do nothing else there', async () => {
    await putApi({ isPublic: false });
    for (const request of [user.get(path), user.get(one), user.put(one, { note: 'Ours' }), add()])
      expectError(await request, 'forbidden');
    expectOutcome(await user.delete(one, { 'if-match': '"another"' }), 412);
    expectOutcome(await user.delete(one), 204);
  });

  it('has the name that its Organization has now, and another ETag with it', async () => {
    const before = (await user.get(one)).headers;
    await rename(`${consumer.name} renamed`);
    const after = await user.get(one);
    expect(after.body.name).toBe(`${consumer.name} renamed`);
    expect((await user.get(path)).body.data).toEqual([after.body]);
    for (const send of [
      user.put(one, { note: 'x' }, { 'if-match': before.etag }),
      user.delete(one, { 'if-match': before.etag }),
    ])
      expectError(await send, 'preconditionFailed');
    const headers = { 'if-match': after.headers.etag };
    const put = (): Promise<ApiResponse> => user.put(one, { note: 'x' }, headers);
    expectError(await meanwhile(service, 'after the guards', () => rename(consumer.name), put), 'preconditionFailed');
  });

  it('is found by q in its name and its note', async () => {
    const other = await createOrganization(user);
    await add({ organizationId: other._id });
    for (const [q, found] of [
      ['STORES', [consumer._id]],
      [other.name.toUpperCase(), [other._id]],
      [consumer.slug, []],
    ] as const)
      expect(idsOf(await user.get(`${path}?q=${encodeURIComponent(q)}`))).toEqual(found);
  });
});

describe('the Events of a Consumer', () => {
  const about = () => ({
    ...{ resourceId: consumer._id, resourceName: consumer.name, organizationId: publisher._id, userId: null },
    ...{ apiId: api._id, apiName: 'Prices' },
  });

  it('have its Organization, its API and the Organization of that, with the names that they had', async () => {
    await add();
    await user.put(one, { note: 'Orders' });
    await rename(`${consumer.name} renamed`);
    await user.delete(one);
    await putApi({ name: 'Costs' });
    const events = (await eventsOf(publisher, manager)).filter(({ type }) => type.startsWith('consumer.'));
    expect(events).toMatchObject([
      { type: 'consumer.deleted', ...about(), resourceName: `${consumer.name} renamed`, changes: [] },
      { type: 'consumer.updated', ...about(), changes: [{ field: 'note' }], actorId: user.id },
      { type: 'consumer.created', ...about(), changes: [] },
    ]);
  });
});

/** The Events that the Consumer's list has of others, the oldest first. */
async function told(of = consumer, by = user): Promise<string[]> {
  const events = (await by.get(`/organizations/${of._id}/events?sort=_id`)).body.data as EventDto[];
  return events
    .filter(({ organizationId }) => organizationId !== of._id)
    .map(({ type, changes }) => [type, ...changes.map(({ field }) => field)].join(' '));
}

describe('the Events of an Organization that uses an API', () => {
  it('have the changes of its lifecycle, its end and its successor, and no others', async () => {
    await add();
    const successor = await createApi(manager, publisher._id);
    await putApi({ lifecycleStatus: 'deprecated', contactName: 'Grace' });
    await putApi({ sunsetAt: '2027-03-31' });
    await putApi({ successorId: successor._id });
    await putApi({ description: unique(), tags: ['nets'], version: '2', url: null });
    await manager.delete(`/apis/${successor._id}`);
    expect(await told()).toEqual([
      'consumer.created',
      'api.updated lifecycleStatus contactName',
      'api.updated sunsetAt',
      'api.updated successorId',
      'api.updated successorId',
    ]);
    const [end] = (
      await user.get(
        `/organizations/${consumer._id}/events?since=${api.createdAt}&actorId=${manager.id}&sort=_id&skip=1`,
      )
    ).body.data;
    expect(end).toMatchObject({
      ...{ type: 'api.updated', resourceId: api._id, organizationId: publisher._id },
      changes: [{ field: 'sunsetAt', from: null, to: '2027-03-31' }],
    });
  });

  it('include that the API was deleted, and its Consumer with it', async () => {
    await add();
    await manager.delete(`/apis/${api._id}`);
    expect((await told()).sort()).toEqual(['api.deleted', 'consumer.created', 'consumer.deleted']);
  });

  it('have nothing from before it used the API, or after', async () => {
    await putApi({ lifecycleStatus: 'deprecated' });
    await add();
    await user.delete(one);
    await putApi({ sunsetAt: '2027-03-31' });
    await manager.delete(`/apis/${api._id}`);
    expect(await told()).toEqual(['consumer.created', 'consumer.deleted']);
  });

  it('include that the API became private, and nothing after that', async () => {
    await add();
    await putApi({ isPublic: false, lifecycleStatus: 'deprecated' });
    await putApi({ sunsetAt: '2027-03-31' });
    await user.delete(one);
    await add({}, service.admin);
    await manager.delete(`/apis/${api._id}`);
    expect(await told()).toEqual(['consumer.created', 'api.updated lifecycleStatus isPublic']);
  });

  it('have what happens when the API is public again', async () => {
    await add();
    await putApi({ isPublic: false });
    await putApi({ sunsetAt: '2027-03-31' });
    await putApi({ isPublic: true });
    expect(await told()).toEqual(['consumer.created', 'api.updated isPublic', 'api.updated isPublic']);
  });

  it('are its own, and those of the API for each Consumer', async () => {
    const other = await createOrganization(user);
    const none = await createOrganization(user);
    const ofAnother = await createOrganization(user);
    const another = await createApi(manager, publisher._id, { isPublic: true });
    await add();
    await add({ organizationId: other._id });
    await user.post(`/apis/${another._id}/consumers`, { organizationId: ofAnother._id });
    await putApi({ sunsetAt: '2027-03-31' });
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
  await add({ organizationId: publisher._id }, manager);
  await putApi({ sunsetAt: '2027-03-31' });
  const ids = idsOf(await manager.get(`/organizations/${publisher._id}/events`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(6);
});

describe('while another request changes either side', () => {
  let second: Client;
  beforeEach(async () => {
    second = await newManager(service, consumer._id);
  });

  const removeManager = async (): Promise<ApiResponse> => {
    await newManager(service, publisher._id);
    return service.admin.delete(`/organizations/${publisher._id}/managers/${manager.id}`);
  };
  const removeUser = (): Promise<ApiResponse> => second.delete(`/organizations/${consumer._id}/managers/${user.id}`);
  const stored = (): Promise<number> => service.model('Consumer').countDocuments({ consumerId: consumer._id });
  /** The Events about the Consumer as one. */
  const events = (): Promise<string[]> =>
    service.model<{ type: string }>('Event').distinct('type', { resourceId: consumer._id, type: /^consumer/ });

  describe.each(MOMENTS)('%s of POST /apis/:id/consumers', (moment) => {
    it.each<[string, () => Promise<unknown>, Expected, number, (() => Client)?]>([
      ['another Manager adds the same: added once', () => add({}, second), 'consumerExists', 1],
      ['the Organization changes: added all the same', () => rename(unique()), 201, 1],
      ['the API becomes private: forbidden', () => putApi({ isPublic: false }), 'forbidden', 0],
      ['the API accepts no Consumers: forbidden', () => putApi({ acceptsConsumers: false }), 'forbidden', 0],
      ['the caller is removed as a Manager: forbidden', removeUser, 'forbidden', 0],
      ['the caller is removed as a Manager of the API: forbidden', removeManager, 'forbidden', 0, () => manager],
    ])('%s', async (_title, event, expected, left, by = () => user) => {
      expectOutcome(await meanwhile(service, moment, event, () => add({}, by())), expected);
      expect(await stored()).toBe(left);
      expect(await events()).toEqual(left ? ['consumer.created'] : []);
    });
  });
});

import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { EventDto } from '../../../src/registry/events/event.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { meanwhile } from '../../support/meanwhile';
import { createOrganization, idsOf, NOTHING, organizationBody } from '../../support/records';
import { useService } from '../../support/service';
import { createApi } from '../apis/api-records';
import { fill } from './fill';

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

  it('takes an Organization that exists, and that the caller manages, unless they are an Admin', async () => {
    expectFieldErrors(await add({ organizationId: NOTHING }), ['namesNothing', 'organizationId']);
    expectFieldErrors(await add({ organizationId: NOTHING }, service.admin), ['namesNothing', 'organizationId']);
    expectFieldErrors(await add({ organizationId: api._id }), ['namesNothing', 'organizationId']);
    expectFieldErrors(await add({ organizationId: 'me' }), ['badFormat', 'organizationId']);
    expectFieldErrors(await add({ organizationId: null }), ['missing', 'organizationId']);
    const message = 'Only a Manager of the Organization that the body names or an Admin may do this.';
    for (const client of [manager, stranger]) expectError(await add({}, client), 'forbidden', message);
    expectOutcome(await add({}, service.admin), 201);
  });

  it('compares the caller with the Organization after the content, and before what is a Consumer already', async () => {
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
    expectOutcome(await add({ organizationId: publisher._id }, manager), 201);
    const other = await createOrganization(stranger);
    expectOutcome(await add({ organizationId: other._id }, service.admin), 201);
  });

  it('takes the Organization of the API', async () => {
    expectOutcome(await add({ organizationId: publisher._id }, manager), 201);
    expectOutcome(await manager.delete(`/organizations/${publisher._id}`), 204);
    expect(await service.model('Consumer').countDocuments({ consumerId: publisher._id })).toBe(0);
  });

  it('says that it is a Consumer already, also where there cannot be another one', async () => {
    await add();
    await fill(service, { apiId: api._id, organizationId: publisher._id }, 199);
    expectError(await add(), 'consumerExists');
    expect((await add({ organizationId: publisher._id }, manager)).body.code).toBe(1508);
  });
});

describe('a Consumer', () => {
  beforeEach(() => add({ note: 'Stores' }));

  it('is changed by its Managers, not by those of the API', async () => {
    for (const client of [manager, stranger])
      expectError(
        await client.put(one, { note: 'Ours' }),
        'forbidden',
        'Only a Manager of the Consumer who may read the API or an Admin may do this.',
      );
    const { body } = await user.get(one);
    const put = await user.put(one, { ...body, name: 'Another', note: ' Two\r\nlines ' });
    expect(put.body.data).toEqual({ ...body, note: 'Two\nlines' });
    expect((await user.get(one)).headers.etag).toBe(put.headers.etag);
    expect((await user.put(one, {})).body.data.note).toBe('');
    expectFieldErrors(await user.put(one, { organizationId: consumer._id }), ['unknownField', 'organizationId']);
  });

  it('is removed by the Managers of either side', async () => {
    const who = 'a Manager of the Consumer, a Manager of the Organization of the API or an Admin';
    expectError(await stranger.delete(one), 'forbidden', `Only ${who} may do this.`);
    for (const client of [manager, user]) {
      expectOutcome(await client.delete(one), 204);
      expectError(await client.delete(one), 'consumerNotFound');
      await add();
    }
  });

  it('of an API that is private now can be removed by its Managers, who may do nothing else there', async () => {
    await putApi({ isPublic: false });
    for (const request of [user.get(path), user.get(one), user.put(one, { note: 'Ours' }), add()])
      expectError(await request, 'forbidden');
    expectOutcome(await user.delete(one, { 'if-match': '"another"' }), 412);
    expectOutcome(await user.delete(one), 204);
    expectError(await user.delete(one), 'consumerNotFound');
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

  it('is found by q in its name and its note, and not in those of others', async () => {
    const other = await createOrganization(user);
    await add({ organizationId: other._id });
    const found = async (q: string): Promise<string[]> => idsOf(await user.get(`${path}?q=${encodeURIComponent(q)}`));
    expect(await found('STORES')).toEqual([consumer._id]);
    expect(await found(other.name.toUpperCase())).toEqual([other._id]);
    expect(await found(consumer.slug)).toEqual([]);
    const { headers } = await user.get(`${path}?q=stores`, { prefer: 'count=exact' });
    expect(headers['x-total-count']).toBe('1');
  });
});

it('GET /apis?consumerId= has the APIs that an Organization uses, of those that the caller may see', async () => {
  const hidden = await createApi(manager, publisher._id, { isPublic: true });
  await createApi(manager, publisher._id, { isPublic: true });
  await add();
  await user.post(`/apis/${hidden._id}/consumers`, { organizationId: consumer._id });
  await manager.put(`/apis/${hidden._id}`, { ...hidden, isPublic: false });
  const list = async (client: Client, more = ''): Promise<string[]> =>
    idsOf(await client.get(`/apis?consumerId=${consumer._id}${more}`));
  for (const client of [user, stranger]) expect(await list(client)).toEqual([api._id]);
  for (const client of [manager, service.admin]) expect(await list(client)).toEqual([api._id, hidden._id].sort());
  expect(await list(manager, `&after=${api._id}&limit=1`)).toEqual([hidden._id]);
  expect(await list(manager, '&name=prices')).toEqual([api._id]);
  expect(await list(manager, `&organizationId=${consumer._id}`)).toEqual([]);
});

describe('the Events of a Consumer', () => {
  const about = () => ({
    ...{ resourceId: consumer._id, resourceName: consumer.name, organizationId: publisher._id, userId: null },
    ...{ apiId: api._id, apiName: 'Prices' },
  });

  it('have its Organization, its API and the Organization of that, with their names of then', async () => {
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

  it.each<[string, number, () => Promise<ApiResponse>]>([
    ['the API', 1, () => manager.delete(`/apis/${api._id}`)],
    ['the Organization of two APIs', 2, () => manager.delete(`/organizations/${publisher._id}`)],
    ['the Organization that uses both', 2, () => user.delete(`/organizations/${consumer._id}`)],
  ])('have one for each that goes with %s: %i', async (_title, count, remove) => {
    await add();
    const other = await createApi(manager, publisher._id, { isPublic: true });
    await user.post(`/apis/${other._id}/consumers`, { organizationId: consumer._id });
    expectOutcome(await remove(), 204);
    const { body } = await service.admin.get(`/events?resourceId=${consumer._id}`);
    const deleted = (body.data as EventDto[]).filter(({ type }) => type === 'consumer.deleted');
    expect(deleted).toContainEqual(expect.objectContaining(about()));
    expect(deleted).toHaveLength(count);
    expect(await service.model('Consumer').countDocuments({ consumerId: consumer._id })).toBe(2 - count);
  });

  it('of other records have no API', async () => {
    expect((await eventsOf(publisher, manager))[0]).toMatchObject({ type: 'api.created', apiId: null, apiName: null });
  });
});

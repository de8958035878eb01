import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import { type Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, newManager, organizationBody } from '../../support/records';
import { useService } from '../../support/service';
import { createApi } from '../apis/api-records';

type Event = () => Promise<unknown>;

const service = useService();
let manager: Client;
/** Two Managers of the Consumer. */
let user: Client;
let second: Client;
let publisher: OrganizationDto;
let consumer: OrganizationDto;
let api: ApiDto;
let path: string;
beforeEach(async () => {
  [manager, user] = (await service.accountsOf(2)) as [Client, Client];
  [publisher, consumer] = [await createOrganization(manager), await createOrganization(user)];
  second = await newManager(service, consumer._id);
  api = await createApi(manager, publisher._id, { isPublic: true });
  path = `/apis/${api._id}/consumers`;
});

const add = (by = user, note = ''): Promise<ApiResponse> => by.post(path, { organizationId: consumer._id, note });
const putApi = (fields: object): Promise<ApiResponse> => manager.put(`/apis/${api._id}`, { ...api, ...fields });
const removeUser = (): Promise<ApiResponse> => second.delete(`/organizations/${consumer._id}/managers/${user.id}`);
const removeConsumer = (): Promise<ApiResponse> => second.delete(`/organizations/${consumer._id}`);
const removePublisher = (): Promise<ApiResponse> => manager.delete(`/organizations/${publisher._id}`);
const rename = (): Promise<ApiResponse> => second.put(`/organizations/${consumer._id}`, organizationBody());
const stored = (): Promise<number> => service.model('Consumer').countDocuments({ consumerId: consumer._id });
/** The Events about the Consumer as one. */
const events = (): Promise<string[]> =>
  service.model<{ type: string }>('Event').distinct('type', { resourceId: consumer._id, type: /^consumer/ });

describe.each(MOMENTS)('%s of POST /apis/:id/consumers', (moment) => {
  it.each<[string, Event, Expected, number]>([
    ['another Manager adds the same: added once', () => add(second), 'consumerExists', 1],
    ['the API changes: added all the same', () => putApi({ description: 'Theirs' }), 201, 1],
    ['the Organization changes: added all the same', rename, 201, 1],
    ['the API becomes private: forbidden', () => putApi({ isPublic: false }), 'forbidden', 0],
    ['the API accepts no Consumers: forbidden', () => putApi({ acceptsConsumers: false }), 'forbidden', 0],
    [
      'the Organization that uses it is deleted: it names nothing',
      removeConsumer,
      ['namesNothing', 'organizationId'],
      0,
    ],
    ['the caller is no Manager any more: forbidden', removeUser, 'forbidden', 0],
  ])('%s', async (_title, event, expected, left) => {
    expectOutcome(await meanwhile(service, moment, event, () => add()), expected);
    expect(await stored()).toBe(left);
    expect(await events()).toEqual(left ? ['consumer.created'] : []);
  });
});

it('two Managers who add the same Consumer at once: one does, and the other is told that it is one', async () => {
  const responses = await Promise.all([add(user, 'ours'), add(second, 'theirs'), add(service.admin, 'an Admin’s')]);
  const codes = responses.map(({ status, body }) => (status === 201 ? 201 : (body.code as number)));
  expect(codes.sort()).toEqual([1514, 1514, 201]);
  expect(await stored()).toBe(1);
});

it('20 Organizations that become Consumers at once all do', async () => {
  const { _id } = await createApi(manager, publisher._id, { isPublic: true });
  const organizations: OrganizationDto[] = [];
  while (organizations.length < 20) organizations.push(await createOrganization(user));
  const sent = organizations.map((one) => user.post(`/apis/${_id}/consumers`, { organizationId: one._id }));
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(organizations.map(() => 201));
});

it('a Consumer whose both sides are deleted at once is gone, with one Event', async () => {
  await add();
  const responses = await Promise.all([removePublisher(), removeConsumer()]);
  expect(responses.map(({ status }) => status)).toEqual([204, 204]);
  expect(await stored()).toBe(0);
  const found = { type: 'consumer.deleted', resourceId: consumer._id };
  expect(await service.model('Event').countDocuments(found)).toBe(1);
});

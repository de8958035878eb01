import { Types } from 'mongoose';
import { AdminCommands } from '../../../src/commands/admin';
import { HourlySweeps } from '../../../src/platform/records/start/hourly-sweeps';
import { Transactions } from '../../../src/platform/records/transactions/transactions';
import type { EventDto } from '../../../src/registry/events/event.dto';
import type { Event } from '../../../src/registry/events/event.schema';
import { EventsService } from '../../../src/registry/events/events.service';
import { LinksService } from '../../../src/registry/links/links.service';
import { UsersService } from '../../../src/registry/users/users.service';
import { withKey } from '../api-keys/keys';
import { createApi } from '../apis/api-records';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
import { addManager, created, createOrganization, idsOf, organizationBody } from '../../support/records';
import { type Service, startService, useService } from '../../support/service';

const DAY_MS = 24 * 60 * 60 * 1000;

const service = useService({ EVENT_RETENTION_DAYS: '30' });
let manager: Client;
let organization: OrganizationDto;
let path: string;
const eventsOf = ({ body }: ApiResponse): EventDto[] => body.data as EventDto[];
const typesOf = (response: ApiResponse): string[] => eventsOf(response).map(({ type }) => type);
const eventsAbout = async (id: string): Promise<EventDto[]> =>
  eventsOf(await service.admin.get(`/events?resourceId=${id}`));

beforeEach(async () => {
  manager = await service.account();
  organization = await createOrganization(manager);
  path = `/organizations/${organization._id}/events`;
});

describe('an Event', () => {
  it('says what was changed, who did it and with which request', async () => {
    const api = await createApi(manager, organization._id, { name: 'Orders' });
    const headers = { 'x-request-id': 'from-a-proxy' };
    const put = await manager.put(`/apis/${api._id}`, { ...api, name: 'Sales', isPublic: true }, headers);
    const [event] = eventsOf(await manager.get(path));
    expect(event).toEqual({
      ...{ _id: event!._id, type: 'api.updated', resourceId: api._id, resourceName: 'Sales' },
      ...{ organizationId: organization._id, userId: null, apiId: null, apiName: null, apiKeyId: null },
      ...{ actorId: manager.id, actorUsername: manager.user.username },
      changes: [{ field: 'name' }, { field: 'isPublic', from: false, to: true }],
      requestId: put.headers['x-request-id'],
      createdAt: event!.createdAt,
    });
  });

  it('keeps the names that records had, of a Manager that of the User', async () => {
    const other = await service.account();
    await addManager(manager, organization._id, other.id);
    await service.admin.put(`/users/${other.id}`, other.userBody({ username: `${other.user.username}-2` }));
    await manager.put(`/organizations/${organization._id}`, organizationBody({ name: 'Another name' }));
    const [renamed, added] = eventsOf(await manager.get(path));
    expect(renamed).toMatchObject({ type: 'organization.updated', resourceName: 'Another name' });
    const added_ = { type: 'manager.created', resourceId: other.id, resourceName: other.user.username };
    expect(added).toMatchObject({ ...added_, userId: other.id, organizationId: organization._id });
  });

  it('says whose the record is, and which API key was used', async () => {
    const { key, program } = await withKey(manager);
    await createApi(program, organization._id);
    const user = { userId: manager.id, organizationId: null, apiKeyId: null };
    expect(await eventsAbout(key._id)).toMatchObject([{ type: 'apiKey.created', resourceName: key.name, ...user }]);
    await service.admin.put(`/users/${manager.id}`, manager.userBody({ companyName: 'Others' }));
    expect(await eventsAbout(manager.id)).toMatchObject([
      { type: 'user.updated', ...user },
      { type: 'manager.created' },
    ]);
    const [created] = eventsOf(await manager.get(path));
    expect(created).toMatchObject({ type: 'api.created', actorId: manager.id, apiKeyId: key._id });
  });

  it('names a User and a Manager who are deleted in one request', async () => {
    const other = await service.account();
    await addManager(manager, organization._id, other.id);
    await service.admin.delete(`/users/${other.id}`);
    const common = { resourceName: other.user.username, userId: other.id };
    expect(await eventsAbout(other.id)).toMatchObject([
      { type: 'manager.deleted', ...common, organizationId: organization._id },
      { type: 'user.deleted', ...common, organizationId: null },
      { type: 'manager.created' },
    ]);
  });

  it('has no actor where nobody is logged in', async () => {
    const { body } = await service.admin.get(`/events?resourceId=${service.admin.id}&sort=_id`);
    expect(body.data[0]).toMatchObject({ type: 'user.created', actorId: null, actorUsername: null, requestId: null });
  });
});

describe('a list of Events', () => {
  it('finds the Events of deleted records by resourceId, organizationId and actorId', async () => {
    const api = await createApi(manager, organization._id);
    await service.admin.delete(`/organizations/${organization._id}`);
    const find = async (query: string): Promise<string[]> => typesOf(await service.admin.get(`/events?${query}`));
    const ofOrganization = ['organization.deleted', 'api.created', 'manager.created', 'organization.created'];
    expect(await find(`organizationId=${organization._id}`)).toEqual(ofOrganization);
    expect(await find(`actorId=${manager.id}`)).toEqual(ofOrganization.slice(1));
    expect(await find(`actorId=${manager.id}&resourceId=${api._id}`)).toEqual(['api.created']);
  });

  it('takes since and until in both forms, both included', async () => {
    const [event] = eventsOf(await manager.get(`${path}?sort=_id&limit=1`));
    const { _id, createdAt } = event!;
    const day = createdAt.slice(0, 10);
    const near = (ms: number): string => new Date(Date.parse(createdAt) + ms).toISOString();
    const find = async (query: string): Promise<boolean> => idsOf(await manager.get(`${path}?${query}`)).includes(_id);
    for (const query of [`since=${createdAt}`, `until=${createdAt}`, `since=${day}&until=${day}`]) {
      expect([query, await find(query)]).toEqual([query, true]);
    }
    for (const query of [`since=${near(1)}`, `until=${near(-1)}`, 'until=1969-12-31', 'since=2200-01-01']) {
      expect([query, await find(query)]).toEqual([query, false]);
    }
    const message = 'The query parameter "since" has a "+" that is not encoded: send %2B.';
    expectError(await manager.get(`${path}?since=2026-03-16T19:07:54+01:00`), 'invalidQuery', message);
  });

  it('is empty with an until before since', async () => {
    const query = 'since=2026-03-17T00:00:00%2B01:00&until=2026-03-16T22:59:59.999Z';
    expect((await manager.get(`${path}?${query}`)).body.data).toEqual([]);
    expect((await service.admin.get(`/events?${query}`)).body.data).toEqual([]);
  });
});

/** Stores an Event as if it had happened so many days ago. */
async function eventOfDaysAgo(days: number): Promise<Types.ObjectId> {
  const createdAt = new Date(Date.now() - days * DAY_MS);
  const _id = Types.ObjectId.createFromTime(createdAt.getTime() / 1000);
  await service
    .model<Event>('Event')
    .insertMany([{ _id, type: 'api.deleted', resourceId: new Types.ObjectId(), createdAt }]);
  return _id;
}

describe('Events', () => {
  it('are kept for EVENT_RETENTION_DAYS', async () => {
    const [old, recent] = [await eventOfDaysAgo(31), await eventOfDaysAgo(29)];
    await service.app.get(HourlySweeps).sweep();
    expect(await service.model('Event').distinct('_id', { _id: { $in: [old, recent] } })).toEqual([recent]);
    // No limit, and more days than there were since 1970, where the times of ids begin.
    for (const EVENT_RETENTION_DAYS of ['0', '36500']) {
      const keeping = await startService({ MONGODB_URI: service.databaseUri, EVENT_RETENTION_DAYS });
      expect(await keeping.app.get(EventsService).sweep()).toBe(0);
      await keeping.stop();
    }
    const stricter = await startService({ MONGODB_URI: service.databaseUri, EVENT_RETENTION_DAYS: '28' });
    expect(await stricter.app.get(EventsService).sweep()).toBe(1);
    await stricter.stop();
    expect(await service.model('Event').countDocuments({ _id: { $in: [old, recent] } })).toBe(0);
  });

  it('lose the name of a deleted User by `forget`, and no other', async () => {
    const [user, other] = [await service.account(), await service.account()];
    await addManager(user, (await createOrganization(user))._id, other.id);
    const { app, connection } = service;
    const commands = new AdminCommands(app.get(UsersService), app.get(LinksService), app.get(Transactions), connection);
    await expect(commands.forget(user.id)).rejects.toThrow('This User exists');
    await expect(commands.forget('ada')).rejects.toThrow('"ada" is not the id of a User');
    await user.delete(`/users/${user.id}`);
    await commands.forget(user.id);
    const stored = JSON.stringify(await service.model('Event').find().lean());
    expect(stored).not.toContain(user.user.username);
    expect(stored).toContain(other.user.username);
    expect(stored).toContain('organization.created');
  });
});

describe('Events that two instances write', () => {
  /** How far the clock of the other instance is ahead. */
  const AHEAD_MS = 30_000;

  let other: Service;
  beforeAll(async () => {
    other = await startService({ MONGODB_URI: service.databaseUri });
  });
  afterAll(() => other.stop());
  afterEach(() => jest.useRealTimers());

  /** Sends requests to the instance with the right clock and the one that is ahead, in turn; the one ahead comes first. */
  async function inTurn(...requests: ((admin: Service['admin']) => Promise<unknown>)[]): Promise<void> {
    for (const [index, send] of requests.entries()) {
      const isAhead = index % 2 === 0;
      if (isAhead) jest.useFakeTimers({ now: Date.now() + AHEAD_MS, doNotFake: EVERYTHING_ELSE });
      await send(isAhead ? other.admin : service.admin);
      jest.useRealTimers();
    }
  }

  const EVERYTHING_ELSE = [
    ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
    ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
  ];

  /** The Events of a record, the latest first, in one page and by `Link`. */
  async function historyOf(resourceId: string): Promise<EventDto[]> {
    const all = (await service.admin.get(`/events?resourceId=${resourceId}`)).body.data as EventDto[];
    const paged: EventDto[] = [];
    for (let path: string | undefined = `/events?resourceId=${resourceId}&limit=1`; path;) {
      const { body, headers } = await other.admin.get(path);
      paged.push(...(body.data as EventDto[]));
      path = /<(.+)>; rel="next"/.exec(headers.link ?? '')?.[1];
    }
    expect(paged).toEqual(all);
    return all;
  }

  /** What happened to a record, the latest first, each at a time of its own. */
  async function kindsOf(id: string, record: string): Promise<string[]> {
    const own = (await historyOf(id)).filter(({ type }) => type.startsWith(`${record}.`));
    const times = own.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...new Set(times)].sort().reverse());
    return own.map(({ type }) => type.split('.')[1]!);
  }

  it('the Events of one record, written by two instances with clocks 30 s apart, are in the order of its changes', async () => {
    const { _id } = created(await other.admin.post('/organizations', organizationBody()));
    const path = `/organizations/${_id}`;
    await inTurn(
      (admin) => admin.put(path, organizationBody({ name: `1 ${_id}` })),
      (admin) => admin.put(path, organizationBody({ name: `2 ${_id}` })),
      (admin) => admin.put(path, organizationBody({ name: `3 ${_id}` })),
      (admin) => admin.delete(path),
    );
    expect(await kindsOf(_id, 'organization')).toEqual(['deleted', 'updated', 'updated', 'updated', 'created']);
    const names = (await historyOf(_id)).map(({ resourceName }) => resourceName);
    expect(names).toEqual([`3 ${_id}`, `3 ${_id}`, `2 ${_id}`, `1 ${_id}`, expect.any(String)]);
  });

  it('a reader from 60 s before the newest Event misses none of another record', async () => {
    const ids: string[] = [];
    const post = async (admin: Service['admin']) =>
      ids.push(created(await admin.post('/organizations', organizationBody()))._id);
    await inTurn(post);
    const [newest] = await historyOf(ids[0]!);
    await inTurn(() => Promise.resolve(), post);
    const since = new Date(Date.parse(newest!.createdAt) - 60_000).toISOString();
    const events = (await service.admin.get(`/events?sort=_id&limit=100&since=${since}`)).body.data as EventDto[];
    const organizations = events.filter(({ type }) => type === 'organization.created');
    // The later one comes first: the order of Events of several records is that of the clocks.
    expect(organizations.map(({ resourceId }) => resourceId).filter((id) => ids.includes(id))).toEqual(ids.reverse());
  });
});

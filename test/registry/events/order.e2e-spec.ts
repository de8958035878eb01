import type { EventDto } from '../../../src/registry/events/event.dto';
import { idAt } from '../../../src/registry/events/event-log';
import { created, newUserBody, organizationBody } from '../../support/records';
import { type Service, startService, useService } from '../../support/service';
import { keysOf, postKey } from '../api-keys/keys';

/** The other instance, whose clock is ahead. */
const AHEAD_MS = 30_000;

const service = useService();
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

/** The Events of a record, the latest first: at once, and page by page by `Link`. */
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

describe('the Events of one record, written by two instances with clocks 30 s apart, are in the order of its changes', () => {
  it('of an Organization', async () => {
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

  it('of a User who is created by the one that is ahead', async () => {
    const body = newUserBody();
    let id = '';
    await inTurn(
      async (admin) => (id = created(await admin.post('/users', body))._id),
      (admin) => admin.put(`/users/${id}`, { ...body, password: undefined, companyName: 'Others' }),
      (admin) => admin.delete(`/users/${id}`),
    );
    expect(await kindsOf(id, 'user')).toEqual(['deleted', 'updated', 'created']);
  });

  it('of a Manager who comes and goes', async () => {
    const { _id } = created(await service.admin.post('/organizations', organizationBody()));
    const { id: userId } = await service.account();
    const managers = `/organizations/${_id}/managers`;
    await inTurn(
      (admin) => admin.post(managers, { userId }),
      (admin) => admin.delete(`${managers}/${userId}`),
      (admin) => admin.post(managers, { userId }),
      (admin) => admin.delete(`/users/${userId}`),
    );
    expect(await kindsOf(userId, 'manager')).toEqual(['deleted', 'created', 'deleted', 'created']);
  });

  it('of an API key', async () => {
    let id = '';
    await inTurn(
      async (admin) => (id = created(await postKey(admin))._id),
      (admin) => admin.delete(`${keysOf(admin)}/${id}`),
    );
    expect(await kindsOf(id, 'apiKey')).toEqual(['deleted', 'created']);
  });
});

it('whoever reads from 60 s before the newest Event misses none of another record', async () => {
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

it('updatedAt is later after each change, whatever the clocks', async () => {
  const { _id, createdAt, updatedAt } = created(await service.admin.post('/organizations', organizationBody()));
  expect(updatedAt).toBe(createdAt);
  const times: string[] = [updatedAt];
  const put = async (admin: Service['admin']) =>
    times.push((await admin.put(`/organizations/${_id}`, organizationBody())).body.data.updatedAt as string);
  await inTurn(put, put, put, put);
  expect(times).toEqual([...new Set(times)].sort());
});

it('an Event has the time of the change that its record shows', async () => {
  const { _id, updatedAt } = created(await service.admin.post('/organizations', organizationBody()));
  const { createdAt } = (await historyOf(_id))[0]!;
  expect(createdAt).toBe(updatedAt);
});

it('the id of an Event begins with its time, to the millisecond, and later ones of the same time come later', () => {
  for (const second of ['1970-01-01T00:00:00', '2026-03-16T19:07:54', '2106-02-07T06:28:15']) {
    const times = ['000', '000', '001', '255', '256', '999'].map((ms) => new Date(`${second}.${ms}Z`));
    const ids = times.map((time) => idAt(time));
    expect(ids.map(String)).toEqual(ids.map(String).toSorted());
    for (const id of ids) expect(id.getTimestamp()).toEqual(new Date(`${second}Z`));
  }
});

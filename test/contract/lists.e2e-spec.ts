import { WorkQueue } from '../../src/platform/base/work-queue';
import { keysOf, withKey } from '../registry/api-keys/keys';
import { createApi } from '../registry/apis/api-records';
import { uploaded } from '../registry/files/uploads';
import type { ApiResponse, Client } from '../support/client';
import { expectError } from '../support/expect-error';
import { addManager, createOrganization, idsOf, linkOf, organizationBody } from '../support/records';
import { useService } from '../support/service';

/** Records of each list; page sizes around it, and those that do and do not divide it. */
const SIZE = 12;
const LIMITS = [1, 5, 11, 12, 100];

const service = useService();
let caller: Client;
const paths: Partial<Record<string, string>> = {};
beforeAll(async () => {
  caller = service.admin;
  for (let number = 1; number < SIZE; number += 1) await service.logInAdmin();
  const { _id } = await createOrganization(caller);
  let audited = _id;
  for (let number = 1; number < SIZE; number += 1) {
    ({ _id: audited } = await createOrganization(caller));
    const { id } = await service.account();
    await addManager(caller, _id, id);
    await createApi(caller, _id);
    await uploaded(caller);
  }
  await createApi(caller, _id);
  await uploaded(caller);
  // Two Events are of the creation.
  for (let number = 2; number < SIZE; number += 1) await caller.put(`/organizations/${audited}`, organizationBody());
  for (let number = 0; number < SIZE; number += 1) await withKey(caller);
  Object.assign(paths, {
    ...{ managers: `/organizations/${_id}/managers?`, apisOfOne: `/organizations/${_id}/apis?` },
    ...{ events: `/events?organizationId=${audited}&`, eventsOfOne: `/organizations/${audited}/events?` },
    apiKeys: `${keysOf(caller)}?`,
  });
});

/** Paths to which parameters can be added. */
const lists: [name: string, path: () => string][] = [
  ['GET /users', () => '/users?'],
  ['GET /organizations', () => '/organizations?'],
  ['GET /apis', () => '/apis?'],
  ['GET /sessions', () => '/sessions?'],
  ['GET /files', () => '/files?'],
  ['GET /organizations/:id/managers', () => paths.managers ?? ''],
  ['GET /organizations/:id/apis', () => paths.apisOfOne ?? ''],
  ['GET /users/:id/api-keys', () => paths.apiKeys ?? ''],
  ['GET /events', () => paths.events ?? ''],
  ['GET /organizations/:id/events', () => paths.eventsOfOne ?? ''],
];
/** Lists that take `q`. */
const isSearched = (name: string): boolean => !/sessions|files|api-keys|events/.test(name);
/** Lists that take `sort`. */
const sorted = lists.filter(([name]) => !/managers|sessions|files|api-keys/.test(name));
const byId = lists.filter(([name]) => !name.endsWith('managers'));

async function page(path: string): Promise<ApiResponse> {
  const response = await caller.get(path);
  expect(response.status).toBe(200);
  return response;
}

/** The ids of all pages that a relation leads to, each page in its own list. */
async function walk(first: string, relation: 'next' | 'prev'): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: string | undefined = first; path !== undefined;) {
    const response: ApiResponse = await page(path);
    pages.push(idsOf(response));
    path = linkOf(response, relation);
  }
  return pages;
}

describe('the pages of an unchanged list partition it, at any page size (contract §2, Lists)', () => {
  it.each(lists)('%s', async (_name, path) => {
    const all = idsOf(await page(`${path()}limit=100`));
    expect(all).toHaveLength(SIZE);
    for (const limit of LIMITS) {
      expect((await walk(`${path()}limit=${limit}`, 'next')).flat()).toEqual(all);
      const bySkip: string[] = [];
      for (let skip = 0; skip < SIZE; skip += limit)
        bySkip.push(...idsOf(await page(`${path()}limit=${limit}&skip=${skip}`)));
      expect(bySkip).toEqual(all);
      const back = await walk(`${path()}limit=${limit}&skip=${SIZE - 1}`, 'prev');
      expect(back.reverse().flat()).toEqual(all);
    }
  });

  it.each(lists)('%s: an empty page and the first one have no prev', async (_name, path) => {
    const behind = await page(`${path()}skip=1000000`);
    expect(behind.body).toEqual({ status: 'success', data: [] });
    expect(behind.headers.link).toBeUndefined();
    expect((await page(`${path()}limit=1`)).headers.link).not.toContain('prev');
    expect((await page(path())).headers.link).toBeUndefined();
  });

  it.each(lists)('%s: Prefer: count=exact counts all records on every page', async (_name, path) => {
    for (const query of ['limit=1', 'skip=5&limit=2', 'skip=1000000']) {
      const { headers } = await caller.get(`${path()}${query}`, { prefer: 'count=exact' });
      expect(headers['x-total-count']).toBe(String(SIZE));
    }
    expect((await page(path())).headers['x-total-count']).toBeUndefined();
  });

  it.each(sorted)('%s: sort=-_id is the reverse order, which skip, after and Link follow', async (_name, path) => {
    const all = idsOf(await page(`${path()}limit=100&sort=_id`));
    const reversed = all.toReversed();
    for (const limit of LIMITS) {
      expect((await walk(`${path()}sort=_id&limit=${limit}`, 'next')).flat()).toEqual(all);
      expect((await walk(`${path()}sort=-_id&limit=${limit}`, 'next')).flat()).toEqual(reversed);
      const back = await walk(`${path()}sort=-_id&limit=${limit}&skip=${SIZE - 1}`, 'prev');
      expect(back.reverse().flat()).toEqual(reversed);
    }
    expect(idsOf(await page(`${path()}sort=-_id&after=${all[2]}`))).toEqual([all[1], all[0]]);
    for (const sort of ['', 'name', '+_id'])
      expectError(await caller.get(`${path()}sort=${sort}`), 'invalidQuery', expect.stringContaining('"sort"'));
  });

  it.each(sorted.filter(([name]) => !name.endsWith('events')))(
    '%s: updatedSince finds what was changed at that time or later',
    async (_name, path) => {
      const all = (await page(path())).body.data as { _id: string; updatedAt: string }[];
      const since = all[5]!.updatedAt;
      expect(all.some(({ updatedAt }) => updatedAt < since)).toBe(true);
      const elsewhere = new Date(Date.parse(since) + 3_600_000).toISOString().replace('Z', '+01:00');
      for (const date of [since, elsewhere, since.slice(0, 10)]) {
        const changed = all.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(date)).map(({ _id }) => _id);
        expect(idsOf(await page(`${path()}updatedSince=${encodeURIComponent(date)}`))).toEqual(changed);
      }
    },
  );

  it.each(byId)('%s: a page after a record has no prev, and the record may have been deleted', async (name, path) => {
    const all = idsOf(await page(`${path()}limit=100`));
    const response = await page(`${path()}after=${all[2]}&limit=2`);
    expect(idsOf(response)).toEqual(all.slice(3, 5));
    expect(linkOf(response, 'prev')).toBeUndefined();
    const [first = '', last = ''] = name.endsWith('/events') ? ['f', '0'] : ['0', 'f'];
    expect(idsOf(await page(`${path()}after=${first.repeat(24)}`))).toEqual(all);
    expect(idsOf(await page(`${path()}after=${last.repeat(24)}`))).toEqual([]);
  });
});

describe('the parameters of every list are bounded alike', () => {
  it.each(lists)('%s', async (_name, path) => {
    for (const query of ['skip=0', 'skip=1000000', 'limit=1', 'limit=100', 'limit=007', ''])
      await page(`${path()}${query}`);
    const skips = ['skip=-1', 'skip=1000001', 'skip=0x1', 'skip=1&skip=1'];
    const limits = ['0', '101', '', '1.0', '%2B1', '1e1', '%D9%A1'].map((limit) => `limit=${limit}`);
    for (const query of [...skips, ...limits, 'x=1', 'after=x', `after=${'f'.repeat(24)}&skip=0`]) {
      const { status, body } = await caller.get(`${path()}${query}`);
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 1002 });
      expect(body.message).toContain(query.split('=', 1)[0]);
    }
  });

  it.each(lists)('%s: only a search or an exact count waits in the queue of searches', async (name, path) => {
    const queued = jest.spyOn(WorkQueue.prototype, 'run');
    for (const query of ['', 'q=']) await caller.get(`${path()}${query}`);
    expect(queued).not.toHaveBeenCalled();
    await caller.get(`${path()}q=a`);
    await caller.get(path(), { prefer: 'count=exact' });
    const once = [caller.id, expect.any(Function)];
    expect(queued.mock.calls).toEqual(isSearched(name) ? [once, once] : [once]);
    queued.mockRestore();
  });

  it.each(lists)('%s: q is at most 100 characters where a list takes it', async (name, path) => {
    const takesQ = isSearched(name);
    for (const q of ['', ' ', 'a', '😀'.repeat(100), '😀'.repeat(101)]) {
      const { status } = await caller.get(`${path()}q=${encodeURIComponent(q)}`);
      const fits = Array.from(q).length <= 100;
      expect({ q, status }).toEqual({ q, status: takesQ && fits ? 200 : 400 });
    }
    if (takesQ) expect(idsOf(await page(`${path()}q=%20`))).toHaveLength(SIZE);
    else expectError(await caller.get(`${path()}q=a`), 'invalidQuery', expect.stringContaining('"q"'));
  });
});

describe('a walk by after meets each record that stays exactly once, while others come and go', () => {
  const organization = async (): Promise<string> => (await createOrganization(caller))._id;
  const user = async (): Promise<string> => (await service.account()).id;
  const api = async (): Promise<string> => (await createApi(caller, paths.apisOfOne!.split('/')[2]!))._id;

  it.each<[string, () => string, string, () => Promise<string>]>([
    ['GET /users', () => '/users?', '/users', user],
    ['GET /organizations', () => '/organizations?', '/organizations', organization],
    ['GET /apis', () => '/apis?', '/apis', api],
    ['GET /organizations/:id/apis', () => paths.apisOfOne ?? '', '/apis', api],
  ])('%s', async (_name, path, records, create) => {
    const staying = idsOf(await page(`${path()}limit=100`));
    const leaving = [await create(), await create(), await create(), await create()];
    staying.push(await create());
    const met: string[] = [];
    for (let next: string | undefined = `${path()}limit=2`; next !== undefined;) {
      const response: ApiResponse = await page(next);
      met.push(...idsOf(response));
      next = linkOf(response, 'next');
      const [gone] = leaving.splice(0, 1);
      if (gone !== undefined) expect(await caller.delete(`${records}/${gone}`)).toMatchObject({ status: 204 });
      if (met.length < 10) await create();
    }
    expect(new Set(met).size).toBe(met.length);
    expect(met.filter((id) => staying.includes(id))).toEqual(staying);
  });
});

import { readFileSync } from 'node:fs';
import type { ApiResponse } from '../support/client';
import { expectError, expectOutcome } from '../support/expect-error';
import { FilledList, listOf, lists, SIZE } from '../support/lists';
import { isServed, readsOf } from '../support/reads';
import { idsOf, linkOf, NOTHING } from '../support/records';
import { operations, resourceOf, sceneFile, sceneOf } from '../support/scenes';
import { useService } from '../support/service';

const service = useService();

/** The fields of a record in the order of its list in contract §3; of what it lacks, last, only a POST has more. */
function inOrder(resource: string, names: readonly string[]): string[] {
  const record = resource.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/s$/, '');
  const contract = readFileSync('docs/contract.md', 'utf8');
  const [section = ''] = new RegExp(`^### ${record}\\n.*?(?=^##)`, 'ms').exec(contract) ?? [];
  const items = [...section.matchAll(/^- ((?:`\w+`(?:\\\*)?(?:, )?)+)(?::|$)/gm)];
  const fields = items.flatMap(([, item]) => item!.match(/\w+/g)!);
  return [...fields.filter((name) => names.includes(name)), ...names.filter((name) => !fields.includes(name))];
}

type Schemas = Readonly<Record<string, { readonly properties?: object }>>;

/** The fields of each schema of openapi.json that has these. */
function documented(names: readonly string[]): string[][] {
  const { components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { components: { schemas: Schemas } };
  const all = Object.values(components.schemas).map(({ properties = {} }) => Object.keys(properties));
  return all.filter((schema) => schema.toSorted().join() === names.toSorted().join());
}

describe.each(lists)('$title (contract §2, Lists)', (operation) => {
  const list = new FilledList(service, operation);
  const limits = (): number[] => [2, 5, list.all.length - 1, list.all.length, 100];
  /** A test of a list that takes the parameter. */
  const itIf = (name: string) => (title: string, test: () => Promise<void>) => list.takes(name) && it(title, test);

  /** The ids of all pages that a relation leads to, each page in its own list. */
  async function walk(first: string, relation: 'next' | 'prev'): Promise<string[][]> {
    const pages: string[][] = [];
    for (let path: string | undefined = first; path !== undefined;) {
      const response: ApiResponse = await list.get(path);
      pages.push(idsOf(response));
      path = linkOf(response, relation);
    }
    return pages;
  }

  it('shows the fields of a record, as others do, in the order of contract §3 and of openapi.json', async () => {
    const { _id } = list.record;
    const item = ((await list.get(`${list.path}limit=100`)).body.data as object[]).find(
      (one) => '_id' in one && one._id === _id,
    )!;
    for (const names of [list.record, item].map((one) => Object.keys(one))) {
      expect(names).toEqual(inOrder(list.resource, names));
      expect(documented(names)).toContainEqual(names);
    }
  });

  it('has pages that partition it, at any page size', async () => {
    const isFull = list.all.length >= SIZE;
    expect({ isFull, see: list.see }).toEqual({ isFull: true, see: list.see });
    expect(new Set(list.all).size).toBe(list.all.length);
    for (const limit of limits()) {
      expect((await walk(`${list.path}limit=${limit}`, 'next')).flat()).toEqual(list.all);
      const bySkip: string[] = [];
      for (let skip = 0; skip < list.all.length; skip += limit)
        bySkip.push(...idsOf(await list.get(`${list.path}limit=${limit}&skip=${skip}`)));
      expect(bySkip).toEqual(list.all);
      const back = await walk(`${list.path}limit=${limit}&skip=${list.all.length - 1}`, 'prev');
      expect(back.reverse().flat()).toEqual(list.all);
    }
  });

  it('shows each caller the records that they may read, and counts no others', async () => {
    await list.expectSeen(`${list.path}limit=100`, list.all);
    for (const by of list.others) {
      const { status, body, headers } = await by.get(`${list.path}limit=100`, { prefer: 'count=exact' });
      if (status === 200) expect(headers['x-total-count']).toBe(String((body.data as unknown[]).length));
    }
  });

  it('has no prev on an empty page and on the first one', async () => {
    const after = await list.get(`${list.path}skip=1000000`);
    expect(after.body).toEqual({ status: 'success', data: [] });
    expect(after.headers.link).toBeUndefined();
    expect((await list.get(`${list.path}limit=1`)).headers.link).not.toContain('prev');
    expect((await list.get(`${list.path}limit=100`)).headers.link).toBeUndefined();
  });

  it('is not sent again to a client that has its ETag, or has none where it must not be stored', async () => {
    const path = `${list.path}limit=2`;
    const { etag, link, 'cache-control': cacheControl } = (await list.get(path)).headers;
    expect(etag === undefined).toBe(cacheControl === 'no-store');
    if (etag === undefined) return;
    const ask = (query: string, headers: object = {}) =>
      list.caller.get(`${list.path}${query}`, { 'if-none-match': etag, ...headers });
    expect(await ask('limit=2')).toMatchObject({ status: 304, text: '', headers: { etag, link } });
    for (const other of ['limit=3', 'limit=2&skip=1']) expectOutcome(await ask(other), 200);
    expectOutcome(await ask('limit=2', { prefer: 'count=exact' }), 200);
  });

  it('counts all records on every page with Prefer: count=exact', async () => {
    for (const query of ['limit=1', 'skip=5&limit=2', 'skip=1000000']) {
      const { headers } = await list.caller.get(`${list.path}${query}`, { prefer: 'count=exact' });
      expect(headers['x-total-count']).toBe(String(list.all.length));
    }
    expect((await list.get(list.path)).headers['x-total-count']).toBeUndefined();
  });

  it('reads no more than a page from the database', async () => {
    const { stored } = sceneOf(list.resource);
    if (stored.includes('.') || listOf(operation).isSmall) return;
    const { name } = service.model(stored).collection;
    const see = `Read a page with \`records.page\` in src/registry/${list.resource}.`;
    for (const by of [list.caller, ...list.others]) {
      const reads = await readsOf(service, name, () => by.get(`${list.path}limit=2`));
      // One more shows whether others follow.
      const returned = Math.max(0, ...reads.map((read) => read.returned));
      expect({ returned: Math.max(returned, 3), see }).toEqual({ returned: 3, see });
      // A part of the records is found by an index.
      const narrowed = reads.filter(
        ({ command }) => by !== list.caller && Object.keys(command.filter ?? {}).length > 0,
      );
      const served = await Promise.all(narrowed.map((read) => isServed(service, read)));
      expect({ served, by: by.user.username, see: list.see }).toMatchObject({ served: narrowed.map(() => true) });
      if (by === list.caller) expect(reads.length).toBeGreaterThan(0);
    }
  });

  itIf('sort')('has the reverse order with sort=-_id, which skip, after and Link follow', async () => {
    const ordered = idsOf(await list.get(`${list.path}limit=100&sort=_id`));
    const reversed = ordered.toReversed();
    const see = `Hand the whole query to \`records.page\` in src/registry/${list.resource}: it has the order.`;
    for (const limit of limits()) {
      const forth = await walk(`${list.path}sort=_id&limit=${limit}`, 'next');
      const reverse = await walk(`${list.path}sort=-_id&limit=${limit}`, 'next');
      const back = await walk(`${list.path}sort=-_id&limit=${limit}&skip=${list.all.length - 1}`, 'prev');
      const found = { forth: forth.flat(), reverse: reverse.flat(), back: back.reverse().flat() };
      expect({ ...found, limit, see }).toEqual({ forth: ordered, reverse: reversed, back: reversed, limit, see });
    }
    const two = [ordered[1], ordered[0]];
    expect({ two: idsOf(await list.get(`${list.path}sort=-_id&after=${ordered[2]}`)), see }).toEqual({ two, see });
    const other = await list.caller.get(`${list.path}sort=1`);
    const known = ['_id', '-_id', ...list.sorts].join(', ');
    expectError(other, 'invalidQuery', expect.stringContaining(`"sort" must be one of: ${known}.`));
  });

  for (const sort of list.sorts)
    it(`is sorted by ${sort}, then by _id, in pages by skip, which Link follows`, async () => {
      const sorted = await list.sortedBy(sort);
      const see = `Hand the whole query to \`records.page\` in src/registry/${list.resource}: it has the order.`;
      for (const limit of limits()) {
        const path = `${list.path}sort=${sort}&limit=${limit}`;
        const forth = (await walk(path, 'next')).flat();
        const back = (await walk(`${path}&skip=${sorted.length - 1}`, 'prev')).reverse().flat();
        expect({ limit, forth, back, see }).toEqual({ limit, forth: sorted, back: sorted, see });
      }
      if (list.takes('id'))
        expect(idsOf(await list.get(`${list.path}sort=${sort}&id=${list.all.join()}`))).toEqual(sorted);
      const after = await list.caller.get(`${list.path}sort=${sort}&after=${sorted[0]}`);
      expectError(after, 'invalidQuery', expect.stringMatching(/"after" .*"sort=.*"skip"/));
    });

  itIf('id')(
    'has of the records that id names those that exist, in its order, in pages, with other filters',
    async () => {
      const named = list.all.filter((_, at) => at % 2 === 0);
      const given = [NOTHING, ...named.toReversed()];
      const path = `${list.path}id=${given.join()}`;
      const whole = await list.get(path);
      expect(idsOf(whole)).toEqual(named);
      expect(whole.headers.link).toBeUndefined();
      expect((await walk(`${path}&limit=2`, 'next')).flat()).toEqual(named);
      expect((await walk(`${path}&limit=2&skip=${named.length - 1}`, 'prev')).reverse().flat()).toEqual(named);
      expect(idsOf(await list.get(`${path}&skip=1`))).toEqual(named.slice(1));
      expect(idsOf(await list.get(`${path}&after=${list.all[1]}`))).toEqual(named.slice(1));
      if (list.takes('sort')) expect(idsOf(await list.get(`${path}&sort=-_id`))).toEqual(named.toReversed());
      const counted = await list.caller.get(`${path}&limit=1`, { prefer: 'count=exact' });
      expect(counted.headers['x-total-count']).toBe(String(named.length));
      for (const query of ['q=%7Enothing%7E', `after=${list.all.at(-1)}`, 'updatedSince=2999-01-01'])
        expect(idsOf(await list.get(`${path}&${query}`))).toEqual([]);
      const others = Array.from({ length: 100 - named.length }, (_, at) => String(at).padStart(24, 'a'));
      expect(idsOf(await list.get(`${list.path}id=${[...others, ...named].join()}`))).toEqual(named);
      const tooMany = await list.caller.get(`${list.path}id=${[...others, ...given].join()}`);
      expectError(tooMany, 'invalidQuery', expect.stringContaining('"id"'));
    },
  );

  itIf('updatedSince')('finds with updatedSince what was changed at that time or later', async () => {
    const records = (await list.get(`${list.path}limit=100`)).body.data as { _id: string; updatedAt: string }[];
    const since = records[5]!.updatedAt;
    const see =
      `Hand the whole query to \`records.page\` in src/registry/${list.resource}; the records that ` +
      `${sceneFile(list.resource)} creates are changed one after the other.`;
    expect({ hasEarlier: records.some(({ updatedAt }) => updatedAt < since), see }).toEqual({ hasEarlier: true, see });
    const elsewhere = new Date(Date.parse(since) + 3_600_000).toISOString().replace('Z', '+01:00');
    for (const date of [since, elsewhere, since.slice(0, 10)]) {
      const changed = records.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(date));
      const found = idsOf(await list.get(`${list.path}limit=100&updatedSince=${encodeURIComponent(date)}`));
      expect({ date, found, see }).toEqual({ date, found: changed.map(({ _id }) => _id), see });
    }
  });

  itIf('after')('has no prev on a page after a record, which may have been deleted', async () => {
    const response = await list.get(`${list.path}after=${list.all[2]}&limit=2`);
    expect(idsOf(response)).toEqual(list.all.slice(3, 5));
    expect(linkOf(response, 'prev')).toBeUndefined();
    const [first = '', last = ''] = list.all[0]! < list.all[1]! ? ['0', 'f'] : ['f', '0'];
    expect(idsOf(await list.get(`${list.path}limit=100&after=${first.repeat(24)}`))).toEqual(list.all);
    expect(idsOf(await list.get(`${list.path}after=${last.repeat(24)}`))).toEqual([]);
  });

  // All forms of parameters: src/platform/http/query/*.spec.ts.
  it('bounds its parameters', async () => {
    for (const query of ['skip=1000001', 'limit=0', 'limit=101', 'x=1', `after=${'f'.repeat(24)}&skip=0`]) {
      const { status, body } = await list.caller.get(`${list.path}${query}`);
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 1002 });
      expect(body.message).toContain(query.split('=', 1)[0]);
    }
  });

  const isDeleted = operations.some(({ title }) => title === `DELETE /${resourceOf(operation)}/:id`);
  if (!isDeleted) return;

  itIf('after')('read by after has each record that stays exactly once, while others come and go', async () => {
    const create = async (): Promise<string> => (await list.create(list.stage))._id;
    const staying = idsOf(await list.get(`${list.path}limit=100`));
    const leaving = [await create(), await create(), await create(), await create()];
    staying.push(await create());
    const met: string[] = [];
    for (let next: string | undefined = `${list.path}limit=2`; next !== undefined;) {
      const response: ApiResponse = await list.get(next);
      met.push(...idsOf(response));
      next = linkOf(response, 'next');
      const [leaver] = leaving.splice(0, 1);
      if (leaver) expect(await list.caller.delete(`/${list.resource}/${leaver}`)).toMatchObject({ status: 204 });
      if (met.length < 10) await create();
    }
    expect(new Set(met).size).toBe(met.length);
    expect(met.filter((id) => staying.includes(id))).toEqual(staying);
  });
});

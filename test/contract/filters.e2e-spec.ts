import { Types } from 'mongoose';
import { WorkQueue } from '../../src/platform/base/work-queue';
import { optionsOf } from '../../src/platform/records/schema/field-options';
import { expectError } from '../support/expect-error';
import { FilledList, listOf, lists } from '../support/lists';
import { isServed, isSorted, readsOf } from '../support/reads';
import { idsOf, NOTHING } from '../support/records';
import type { Shown } from '../support/scene';
import { resourceOf, sceneFile, sceneOf } from '../support/scenes';
import { useService } from '../support/service';

/** Parameters that are no filters of a list. */
const COMMON = ['skip', 'limit', 'after', 'q', 'updatedSince', 'sort'];

const service = useService();

describe.each(lists)('$title (contract §2, Lists)', (operation) => {
  const list = new FilledList(service, operation);
  const filters = list.parameters.filter((name) => !COMMON.includes(name));

  it('finds with q the records that have a text, of at most 100 characters, where it takes q', async () => {
    for (const [length, fits] of [
      [100, true],
      [101, false],
    ] as const) {
      const { status } = await list.caller.get(`${list.path}q=${encodeURIComponent('😀'.repeat(length))}`);
      const { see } = list;
      expect({ length, status, see }).toEqual({ length, status: list.takes('q') && fits ? 200 : 400, see });
    }
    if (!list.takes('q')) return;
    expect(idsOf(await list.get(`${list.path}limit=100&q=%20`))).toHaveLength(list.all.length);
    const text = textOf().toUpperCase();
    const found = idsOf(await list.get(`${list.path}q=${encodeURIComponent(text)}`));
    const see =
      `\`q\` of the list in ${sceneFile(list.resource)} returns a text of one record only, in a field that is marked ` +
      `\`searched\` in its schema in src/registry/${list.resource}.`;
    expect({ text, found, see }).toEqual({ text, found: [list.record._id], see });
    await list.expectSeen(`${list.path}q=${encodeURIComponent(text)}`, found);
  });

  /** A text that `q` finds in the record only. @throws Error that names the file to edit */
  function textOf(): string {
    const { q = ({ name }: Shown) => name as string | undefined } = listOf(operation);
    const text = q(list.record);
    if (typeof text === 'string') return text;
    throw new Error(`${operation.title} takes q: add \`q\` to its list in ${sceneFile(list.resource)}.`);
  }

  /** The filter that finds the record. @throws Error that names the file to edit */
  function queryOf(name: string, change = (value: string): string => value): string {
    const value = listOf(operation).filters?.[name];
    if (!value)
      throw new Error(`The filter "${name}" of ${operation.title} has no value: see ${sceneFile(list.resource)}.`);
    return `${name}=${encodeURIComponent(change(String(value(list.record, list.stage))))}`;
  }
  /** The path of the list, without the filter that it has from the start. */
  const pathWithout = (name: string): string => `${list.path.replace(new RegExp(`\\b${name}=\\w+&`), '')}limit=100`;

  // Jest takes no empty table.
  for (const name of filters)
    it(`finds a record by ${name}, through an index`, async () => {
      const { collection, schema, modelName } = service.model(sceneOf(list.resource).stored);
      const path = `${pathWithout(name)}&${queryOf(name)}`;
      const found = idsOf(await list.get(path));
      expect(found).toContain(list.record._id);
      const others = idsOf(await list.get(pathWithout(name))).length - found.length;
      expect({ name, others, see: list.see }).toEqual({ name, others: Math.max(1, others), see: list.see });
      await list.expectSeen(path, found);
      const { keyField } = optionsOf(schema.path(name));
      const inCapitals = `${pathWithout(name)}&${queryOf(name, (text) => text.toUpperCase())}`;
      // A field that is its own key is compared exactly.
      if (keyField) expect(idsOf(await list.get(inCapitals))).toEqual(keyField === name ? [] : found);
      if (listOf(operation).unindexed?.includes(name)) return;
      // Without a filter that the list has from the start.
      const [bare] = list.path.split('?');
      const see = `${modelName} needs an index for ${name}, in src/registry/${list.resource}.`;
      for (const by of [list.caller, ...list.others]) {
        const readsFor = (query: string) =>
          readsOf(service, collection.name, () => by.get(`${bare}?limit=100${query}`));
        const [without] = await readsFor('');
        const reads = await readsFor(`&${queryOf(name)}`);
        const served = await Promise.all(reads.map((read) => isServed(service, read, without)));
        expect({ served, by: by.user.username, see }).toMatchObject({ served: served.map(() => true) });
      }
    });

  if (list.takes('updatedSince'))
    it('finds the records since a time through an index', async () => {
      const { collection } = service.model(sceneOf(list.resource).stored);
      const since = encodeURIComponent(list.record.updatedAt as string);
      const reads = await readsOf(service, collection.name, () => list.get(`${list.path}updatedSince=${since}`));
      expect(await Promise.all(reads.map((read) => isServed(service, read)))).toEqual([true]);
    });

  for (const sort of list.sorts)
    it(`is sorted by ${sort} through an index, which has the order unless a filter leaves few records`, async () => {
      const { collection } = service.model(sceneOf(list.resource).stored);
      const reads = await readsOf(service, collection.name, () => list.get(`${list.path}sort=${sort}`));
      const see = `Add the field to \`addSortIndexes\` in src/registry/${list.resource}.`;
      for (const read of reads) {
        const isInOrder = (await isSorted(service, read)) || (await isServed(service, read));
        expect({ isInOrder, see }).toEqual({ isInOrder: true, see });
      }
      expect(reads).toHaveLength(1);
    });

  it('takes only an id where a filter is one, and finds nothing by that of no record', async () => {
    for (const name of filters.filter((one) => /=[0-9a-f]{24}$/.test(queryOf(one)))) {
      const response = await list.caller.get(`${pathWithout(name)}&${name}=1`);
      expectError(response, 'invalidQuery', expect.stringContaining(`"${name}"`));
      expect(idsOf(await list.get(`${pathWithout(name)}&${name}=${NOTHING}`))).toEqual([]);
    }
  });

  it('finds by all of its filters together', async () => {
    const all = filters.filter((name) => !list.path.includes(`${name}=`)).map((name) => queryOf(name));
    if (list.takes('q')) all.push(`q=${encodeURIComponent(textOf())}`, 'skip=0&limit=1');
    if (list.takes('updatedSince')) all.push(`updatedSince=${encodeURIComponent(list.record.updatedAt as string)}`);
    const found = idsOf(await list.get(`${list.path}${all.join('&')}`));
    if (all.length > 0) expect(found).toContain(list.record._id);
  });

  it('waits in the queue of searches where contract §8.3 says so', async () => {
    // A list of embedded records reads one document.
    const isSmall = sceneOf(list.resource).stored.includes('.') || listOf(operation).isSmall;
    const queued = jest.spyOn(WorkQueue.prototype, 'run');
    const isQueued = async (query: string, headers = {}): Promise<boolean> => {
      queued.mockClear();
      await list.caller.get(`${list.path}${query}`, headers);
      expect(queued.mock.calls).toEqual(queued.mock.calls.map(() => [list.caller.id, expect.any(Function)]));
      return queued.mock.calls.length === 1;
    };
    for (const query of ['', 'q=', 'q=a&limit=0'])
      expect({ query, isQueued: await isQueued(query) }).toEqual({ query, isQueued: false });
    const searches = [
      await isQueued('', { prefer: 'count=exact' }),
      ...(list.takes('q') ? [await isQueued('q=a')] : []),
    ];
    for (const name of listOf(operation).unindexed ?? []) searches.push(await isQueued(queryOf(name)));
    const { see } = list;
    expect({ searches, see }).toEqual({ searches: searches.map(() => !isSmall), see });
    queued.mockRestore();
  });
});

const stored = new Set(lists.map((operation) => sceneOf(resourceOf(operation)).stored.split('.', 1)[0]!));

// On the embedded database, the index of `_id` serves no range.
it.each([...stored])('%s records are found by a range of ids through an index', async (model) => {
  const { collection, db } = service.model(model);
  const explain = { find: collection.name, filter: { _id: { $gte: new Types.ObjectId(NOTHING) } }, sort: { _id: 1 } };
  const plan = JSON.stringify(await db.db!.command({ explain, verbosity: 'queryPlanner' }));
  expect(plan).not.toContain('COLLSCAN');
});

import { WithoutTransaction } from '../../src/platform/http/access/decorators';
import { secantusQuirks } from '../../src/platform/records/embedded-database/secantus';
import { writing } from '../support/scenes';
import { useService } from '../support/service';
import { writes } from '../support/writes';

const service = useService();
afterEach(() => jest.restoreAllMocks());

const CHANGES = ['updateOne', 'updateMany', 'deleteOne', 'deleteMany'] as const;

/** Conditions that an index serves; any other one reads all records that the fields before it leave. */
const SERVED = ['$in', '$lt', '$lte', '$gt', '$gte'];

/** The fields of all indexes of a collection on the embedded database. */
function indexesOf(collection: string): string[][] {
  const models = Object.values(service.connection.models).filter((model) => model.collection.name === collection);
  const declared = models.flatMap(({ schema }) => schema.indexes().map(([keys]) => Object.keys(keys)));
  const extra = secantusQuirks().extraIndexes(models);
  return [['_id'], ...declared, ...extra.map(({ keys }) => Object.keys(keys))];
}

function isServed(collection: string, filter: Record<string, unknown>): boolean {
  const fields = Object.keys(filter);
  const operators = Object.values(filter).flatMap((value) => Object.keys(value ?? {}).filter((key) => key[0] === '$'));
  const hasAll = (index: string[]): boolean => fields.every((name) => index.slice(0, fields.length).includes(name));
  return operators.every((name) => SERVED.includes(name)) && indexesOf(collection).some(hasAll);
}

/** Says where to add the index that a filter lacks. */
function adviceFor(collection: string, fields: string[]): string {
  const others = fields.filter((name) => name !== '_id').map((name) => `'${name}'`);
  const advice = fields.includes('_id')
    ? `add [${others.join(', ')}] to the second argument of collection('${collection}', …)`
    : `add an index that begins with ${others.join(' and ')}`;
  return `${collection} are changed by ${fields.join(', ')}, which no index has: ${advice} in the schema in src/registry.`;
}

// The embedded database reads the whole collection for others, with 100,000 records for 100 ms.
it.each(writes)('$title finds what it changes by an index that has all fields of the filter', async ({ prepare }) => {
  const write = await prepare(service);
  const unserved: string[] = [];
  for (const collection of Object.values(service.connection.collections)) {
    for (const name of CHANGES) {
      const change = collection[name].bind(collection) as (...args: unknown[]) => Promise<never>;
      jest.spyOn(collection, name).mockImplementation((...args: unknown[]) => {
        const filter = args[0] as Record<string, unknown>;
        if (!isServed(collection.name, filter)) unserved.push(adviceFor(collection.name, Object.keys(filter)));
        return change(...args);
      });
    }
  }
  expect((await write()).status).toBeLessThan(300);
  expect(unserved).toEqual([]);
});

test('only the operations on sessions are marked to need no transaction', () => {
  const marked = writing.filter(({ handler }) => Reflect.hasMetadata(WithoutTransaction.KEY, handler));
  expect(marked.map(({ title }) => title)).toEqual(['POST /sessions', 'DELETE /sessions/:id', 'POST /tokens']);
});

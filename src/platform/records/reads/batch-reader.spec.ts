import { Schema } from 'mongoose';
import { useConnection } from '../../../../test/support/connection';
import { BatchReader } from './batch-reader';

interface Thing {
  readonly name: string;
}

const NAMES = Array.from({ length: 150 }, (_, index) => `thing ${index}`);
const connection = useConnection('batch-reader', { monitorCommands: true });

test('Records that are asked for during a read come after it, each key once, 100 with each command', async () => {
  const things = connection.model<Thing>('Thing', new Schema<Thing>({ name: String }));
  await things.insertMany(NAMES.map((name) => ({ name })));
  /** The filter of each read. */
  const reads: unknown[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') reads.push(command.filter);
  });
  const byName = new BatchReader<Thing>(things, { name: 1 }, 'name');
  const first = byName.find('thing 1');
  while (reads.length === 0) await new Promise(setImmediate);
  const keys = [...NAMES, 'none', ...NAMES];
  const found = await Promise.all(keys.map((name) => byName.find(name)));
  expect(found.map((thing) => thing?.name ?? 'none')).toEqual(keys);
  expect((await first)?.name).toBe('thing 1');
  expect(reads).toEqual([
    { name: 'thing 1' },
    { name: { $in: NAMES.slice(0, 100) } },
    { name: { $in: [...NAMES.slice(100), 'none'] } },
  ]);
});

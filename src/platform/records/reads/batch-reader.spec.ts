import { Schema, Types } from 'mongoose';
import { useConnection } from '../../../../test/support/connection';
import { currentTransaction } from '../transactions/context';
import { Transactions } from '../transactions/transactions';
import { BatchReader } from './batch-reader';

interface Thing {
  _id: Types.ObjectId;
  name: string;
}

const NAMES = Array.from({ length: 150 }, (_, index) => `thing ${index}`);
const schema = new Schema<Thing>({ name: String });
const connection = useConnection('batch-reader', { monitorCommands: true });
let byId: BatchReader<Thing>;
let byName: BatchReader<Thing>;
let ids: string[];
/** The filter of each read. */
let reads: Record<string, unknown>[] = [];

beforeAll(async () => {
  const things = connection.model<Thing>('Thing', schema);
  const inserted = await things.insertMany(NAMES.map((name) => ({ name })));
  ids = inserted.map(({ _id }) => _id.toHexString());
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') reads.push(command.filter as Record<string, unknown>);
  });
  byId = new BatchReader(things, { name: 1 }, '_id');
  byName = new BatchReader(things, { name: 1 }, 'name');
});
beforeEach(() => {
  reads = [];
});

/** Resolves when a read is on its way. */
async function readBegins(): Promise<void> {
  while (reads.length === 0) await new Promise(setImmediate);
}

describe('records by a unique field', () => {
  it('that are asked for in one turn of the event loop come with one read, each key once', async () => {
    const found = await Promise.all(['thing 1', 'none', 'thing 2', 'thing 1'].map((name) => byName.find(name)));
    expect(found.map((thing) => thing?.name)).toEqual(['thing 1', undefined, 'thing 2', 'thing 1']);
    expect(reads).toEqual([{ name: { $in: ['thing 1', 'none', 'thing 2'] } }]);
  });

  it('that are asked for during a read come after it, 100 with each command', async () => {
    const first = byName.find('thing 1');
    await readBegins();
    await Promise.all([first, ...NAMES.map((name) => byName.find(name))]);
    expect(reads).toEqual([
      { name: 'thing 1' },
      { name: { $in: NAMES.slice(0, 100) } },
      { name: { $in: NAMES.slice(100) } },
    ]);
  });

  it('are not read in the transaction of whoever asked first', async () => {
    const name = await new Transactions(connection).run(async () => {
      const { session } = currentTransaction()!;
      await connection.model<Thing>('Thing').updateOne({ _id: ids[3] }, { name: 'changed' }, { session });
      return (await byId.find(ids[3]!))?.name;
    });
    expect(name).toBe('thing 3');
  });
});

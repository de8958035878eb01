import { Schema, SchemaFactory } from '@nestjs/mongoose';
import { createConnection, Types } from 'mongoose';
import { collection, StoredRecord } from './schema/record.schema';
import { Database } from './database';
import type { ServerQuirks } from './driver/quirks';
import type { Records } from './records';
import { AllRecords } from './records.module';
import { inContext } from './transactions/context';
import { SharedReads } from './reads/shared-reads';

@Schema(collection('things'))
class Thing extends StoredRecord {}

const [ada, bob, eve] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
let things: Records<Thing>;
let running: number;
let ends: (() => void)[];
beforeEach(() => {
  // What still waits at the end of a test must not time out in another one.
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const connection = createConnection();
  connection.model('Thing', SchemaFactory.createForClass(Thing));
  const database = new Database(connection);
  jest.spyOn(database, 'quirks').mockResolvedValue({} as ServerQuirks);
  things = new AllRecords(database).of('Thing');
  running = 0;
  ends = [];
  // A read that the test ends.
  jest.spyOn(SharedReads.prototype, 'run').mockImplementation(() => {
    running += 1;
    return new Promise<never>((resolve) => ends.push(() => resolve('found' as never)));
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A list request of an account, which runs until the test ends it. */
function list(_id: Types.ObjectId): Promise<unknown> {
  const account = { _id, username: 'any' };
  return inContext({ account: () => account }, () => things.page({ skip: 0, limit: 1, q: 'nets' }));
}

describe('searches', () => {
  it('run eight in parallel, four of one account, and the others wait', async () => {
    for (let number = 0; number < 10; number += 1) void list(ada);
    await new Promise(setImmediate);
    expect(running).toBe(4);
    for (const account of [bob, eve]) for (let number = 0; number < 3; number += 1) void list(account);
    await new Promise(setImmediate);
    expect(running).toBe(8);
    const last = list(eve);
    for (let ended = 0; ended < 17; ended += 1) {
      ends[ended]?.();
      await new Promise(setImmediate);
    }
    expect(running).toBe(17);
    expect(await last).toBe('found');
  });

  it('beyond 25 of an account that wait, or after two seconds, get 1903', async () => {
    const all = Array.from({ length: 30 }, () => list(ada).catch(({ code }: { code: number }) => code));
    expect(await all[29]).toBe(1903);
    await jest.advanceTimersByTimeAsync(2000);
    expect(new Set(await Promise.all(all.slice(4)))).toEqual(new Set([1903]));
    expect(running).toBe(4);
  });
});

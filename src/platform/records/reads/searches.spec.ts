import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { createConnection, SchemaTypes, Types } from 'mongoose';
import { collection, StoredRecord } from '../record.schema';
import { Records } from '../records';
import { inContext } from '../transactions/context';
import type { ListParams } from './find-page';
import { SharedReads } from './shared-reads';

@Schema({ ...collection('things'), autoCreate: false, autoIndex: false })
class Thing extends StoredRecord {
  @Prop({ type: String, keyField: 'nameKey', taken: 'tooMany' }) name!: string;
  @Prop({ type: String, select: false }) nameKey!: string;
  @Prop({ type: SchemaTypes.ObjectId }) ownerId!: Types.ObjectId;
  @Prop({ type: String }) kind!: string;
  @Prop({ type: String }) size!: string;
}

const schema = SchemaFactory.createForClass(Thing);
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ ownerId: 1, kind: 1, size: 1, _id: 1 });

const [ada, bob, eve] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
let things: Records<Thing>;
let running: number;
let ends: (() => void)[];
beforeEach(() => {
  // What still waits at the end of a test must not time out in another one.
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  things = new Records<Thing>(createConnection().model<Thing>('Thing', schema));
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
function list(_id: Types.ObjectId, query: Partial<ListParams> = { q: 'nets' }, filter?: object): Promise<unknown> {
  const account = { _id, username: 'any' };
  return inContext({ account: () => account }, () => things.page({ skip: 0, limit: 1, ...query }, filter));
}

describe('searches', () => {
  it('run eight at once, four of one account, and the others wait', async () => {
    for (let number = 0; number < 10; number += 1) void list(ada);
    expect(running).toBe(4);
    for (const account of [bob, eve]) for (let number = 0; number < 3; number += 1) void list(account);
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

describe('a page', () => {
  it.each<[query: Partial<ListParams>, filter: object]>([
    [{ exactCount: true }, {}],
    [{}, { kind: 'nets' }],
    [{}, { createdAt: { $gt: new Date() } }],
    [{}, { ownerId: ada, kind: { $ne: 'nets' } }],
    [{}, { ownerId: ada, size: 'small' }],
    [{}, { ownerId: { $in: [ada, bob] }, kind: 'nets' }],
    [{}, { ownerId: ada, kind: 'nets', other: true }],
    [{}, { $or: [{ ownerId: ada }, { kind: 'nets' }] }],
    [{}, { $and: [{ kind: 'nets' }] }],
  ])('that can read all records waits in the queue of searches: %j of %j', (query, filter) => {
    for (let number = 0; number < 4; number += 1) void list(ada);
    void list(ada, query, filter);
    expect(running).toBe(4);
  });

  it.each<[query: Partial<ListParams>, filter: object]>([
    [{ exactCount: false, skip: 9, sort: '-_id' }, {}],
    [{ after: String(ada) }, { _id: { $lt: ada } }],
    [{}, { _id: { $gt: ada } }],
    [{}, { ownerId: ada, kind: 'nets' }],
    [{}, { size: 'small', ownerId: ada, kind: 'nets', _id: { $gt: ada } }],
    [{}, { $and: [{ ownerId: ada, kind: 'nets' }] }],
    [{}, { name: 'nets', kind: undefined }],
    [{ id: [String(ada)], q: 'nets', exactCount: true, updatedSince: '2026-11-25' }, { kind: 'nets' }],
    [{}, { ownerId: String(ada) }],
    [{}, { ownerId: { $lt: ada } }],
    [{ updatedSince: '2026-11-25' }, {}],
    [{}, { $or: [{ ownerId: { $in: [ada] } }, { $and: [{ nameKey: 'nets' }] }] }],
  ])('that an index serves does not wait: %j of %j', (query, filter) => {
    for (let number = 0; number < 5; number += 1) void list(ada);
    void list(ada, query, filter);
    expect(running).toBe(5);
  });
});

import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { atMost } from '../schema/field-options';
import { collection, type Embedded, StoredRecord } from '../schema/record.schema';
import { Database } from '../database';
import type { Records } from '../records';
import { AllRecords } from '../records.module';
import { Transactions } from './transactions';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String, default: null }) name!: string | null;
  @Prop({ type: [{ _id: SchemaTypes.ObjectId }], default: [], embeds: 'Part', limit: atMost('It has', 2, 'Parts') })
  parts!: Embedded[];
  @Prop({ type: [{ _id: SchemaTypes.ObjectId }], default: [], select: false, embeds: 'Key' }) keys!: Embedded[];
}

const connection = useConnection('several-records');
const model = useModel(connection, SchemaFactory.createForClass(Thing));
const [first, second] = [{ _id: new Types.ObjectId() }, { _id: new Types.ObjectId() }];
let transactions: Transactions;
let things: Records<Thing>;
beforeEach(() => {
  const database = new Database(connection);
  transactions = new Transactions(database);
  things = new AllRecords(database).of('Thing');
});

const insert = (fields: object = {}): Promise<Thing> => transactions.run(() => things.insert(fields));
const stored = ({ _id }: Thing): Promise<Thing | null> =>
  model.findById(_id).schemaLevelProjections(false).lean<Thing>();

describe('embedded records', () => {
  it.each([
    ['that responses show raise the revision of their owner', 'parts', [1, 2, 3]],
    ['that no response shows leave the revision of their owner', 'keys', [0, 0, 0]],
  ] as const)('%s', async (_title, list, revisions) => {
    let thing = await insert();
    for (const [index, write, left] of [
      [0, () => things.embed(thing, list, first), [first]],
      [1, () => things.embed(thing, list, second), [first, second]],
      [2, () => things.removeEmbedded(thing, list, first), [second]],
    ] as const) {
      thing = await transactions.run(write);
      for (const one of [thing, await stored(thing)])
        expect(one).toMatchObject({ [list]: left, revision: revisions[index] });
    }
  });

  it.each(['parts', 'keys'] as const)('are not added to a deleted owner: %s', async (list) => {
    const thing = await insert();
    await model.deleteMany();
    await expect(transactions.run(() => things.embed(thing, list, first))).rejects.toMatchObject({ code: 1510 });
  });

  it('are not added beyond the limit of the list', async () => {
    const thing = await insert({ parts: [first] });
    const full = await transactions.run(() => things.embed(thing, 'parts', second));
    const third = transactions.run(() => things.embed(full, 'parts', { _id: new Types.ObjectId() }));
    await expect(third).rejects.toMatchObject({ errorName: 'tooMany', message: 'It has 2 Parts.' });
    expect(await stored(thing)).toMatchObject({ parts: [first, second] });
  });

  it('are removed from all that a filter matches, whose revisions rise', async () => {
    const [one, other] = [await insert({ parts: [first, second] }), await insert({ parts: [second] })];
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    for (let times = 0; times < 2; times += 1) {
      const parts = { _id: first._id };
      await transactions.run(() => things.updateAll({ 'parts._id': first._id }, { $pull: { parts } }));
    }
    const changed = await stored(one);
    expect(changed).toMatchObject({ parts: [second], revision: 1 });
    expect(changed!.updatedAt.getTime()).toBeGreaterThan(one.updatedAt.getTime());
    expect(await stored(other)).toMatchObject({ parts: [second], revision: 0 });
    expect(beforeCommit.mock.calls).toMatchObject([[[{ kind: 'deleted', model: 'Part', record: first }]]]);
  });
});

test.each([1, 2])(
  '%i Events together have the defaults of their schema and leave no changes of their own',
  async (count) => {
    const beforeCommit = jest.spyOn(transactions, 'beforeCommit');
    const names = ['a', 'b'].slice(0, count);
    await transactions.run(() => things.insertAll(names.map((name) => ({ name }))));
    const all = await model.find().sort({ name: 1 }).lean();
    expect(all).toMatchObject(names.map((name) => ({ name, revision: 0 })));
    expect(beforeCommit).not.toHaveBeenCalled();
  },
);

test('Nothing is written when the transaction fails', async () => {
  const [kept, other] = [await insert({ name: 'kept' }), await insert({ name: 'other' })];
  const before = await model.find().sort({ name: 1 }).lean();
  const failing = async (): Promise<void> => {
    await things.updateInternal({ _id: kept._id }, { $set: { name: 'x' } });
    await things.removeWithEvents({ _id: other._id });
    await things.insert({ name: 'a' });
    await things.insertAll([{ name: 'b' }]);
    await things.insertAll([{ name: 'c' }, { name: 'd' }]);
    throw new Error('no');
  };
  await expect(transactions.run(failing)).rejects.toThrow('no');
  expect(await model.find().sort({ name: 1 }).lean()).toEqual(before);
});

test('All records that a filter matches are deleted, in a transaction with its other writes', async () => {
  const thing = await insert({ name: 'a' });
  await insert({ name: 'b' });
  const failing = async (): Promise<void> => {
    expect(await things.removeAll({ _id: String(thing._id) })).toBe(1);
    throw new Error('no');
  };
  await expect(transactions.run(failing)).rejects.toThrow('no');
  expect(await model.countDocuments()).toBe(2);
  expect(await things.removeAll({ _id: String(thing._id) })).toBe(1);
  expect(await model.distinct('name')).toEqual(['b']);
});

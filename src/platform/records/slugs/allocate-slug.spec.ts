import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { collection } from '../record.schema';
import { Records } from '../records';
import { Transactions } from '../transactions/transactions';
import { LostRace } from '../transactions/lost-race';
import { addSlugIndexes, SluggedRecord } from './slug.schema';

@Schema(collection('things'))
class Thing extends SluggedRecord {
  @Prop({ type: String, required: true, slugFallback: 'thing' }) name!: string;
}

const schema = SchemaFactory.createForClass(Thing);
addSlugIndexes(schema);

const connection = useConnection('slugs');
const model = useModel(connection, schema);
const things = new Records<Thing>(model);

const write = (work: () => Promise<Thing>): Promise<Thing> => new Transactions(connection).run(work);
const insert = (name: string): Promise<Thing> => write(() => things.insert({ name }));
const rename = (thing: Thing, name: string): Promise<Thing> => write(() => things.update(thing, { name }));

describe('the slug of a record', () => {
  it('skips any number of slugs that other records have', async () => {
    const { _id } = await insert('other');
    const slugs = Array.from({ length: 120 }, (_, index) => ({ text: `foo-${index + 1}`, base: 'x', index }));
    await model.updateOne({ _id }, { $push: { slugs: { $each: slugs } } });
    await insert('foo');
    expect((await insert('foo')).slug.text).toBe('foo-121');
  });

  it('skips one that an open transaction holds, and the record keeps those that it has', async () => {
    const thing = await insert('bar');
    const holder = await connection.startSession();
    holder.startTransaction();
    const held = { text: 'foo', base: 'foo', index: 0 };
    await model.collection.insertOne({ name: 'foo', slug: held, slugs: [held] }, { session: holder });
    expect((await insert('foo')).slug.text).toBe('foo-1');
    const renamed = await rename(thing, 'foo');
    expect(renamed.slug.text).toBe('foo-2');
    await holder.abortTransaction();
    await holder.endSession();
    const back = await rename(renamed, 'bar');
    expect(back.slug).toEqual(thing.slug);
    expect((await rename(back, 'foo!')).slug.text).toBe('foo-2');
  });
});

test('A record that cannot be written although its slug is free says which slug it lost', async () => {
  const conflict = Object.assign(new Error('conflict'), { code: 112 });
  jest.spyOn(model.collection, 'insertOne').mockRejectedValueOnce(conflict);
  const lost: unknown[] = [];
  await write(async () => {
    try {
      return await things.insert({ name: 'foo' });
    } catch (error) {
      lost.push(error);
      throw error;
    }
  });
  expect(lost).toMatchObject([{ slug: 'foo', cause: conflict }]);
  expect(lost[0]).toBeInstanceOf(LostRace);
  jest.restoreAllMocks();
});

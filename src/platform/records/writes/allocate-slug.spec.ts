import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { collection } from '../schema/record.schema';
import { Database } from '../database';
import { AllRecords } from '../records.module';
import { Transactions } from '../transactions/transactions';
import { addSlugIndexes, SluggedRecord } from '../schema/slug.schema';

@Schema(collection('things'))
class Thing extends SluggedRecord {
  @Prop({ type: String, required: true, slugFallback: 'thing' }) name!: string;
  @Prop({ type: String, default: null }) note!: string | null;
}

const schema = SchemaFactory.createForClass(Thing);
addSlugIndexes(schema);

const connection = useConnection('slugs');
const model = useModel(connection, schema);
const database = new Database(connection);
const things = new AllRecords(database).of<Thing>('Thing');

const write = (work: () => Promise<Thing>): Promise<Thing> => new Transactions(database).run(work);
const insert = (name: string): Promise<Thing> => write(() => things.insert({ name }));
const rename = (thing: Thing, name: string): Promise<Thing> => write(() => things.update(thing, { name }));

describe('the slug of a record', () => {
  it('stays where the name is not set', async () => {
    const { _id, slug } = await insert('foo');
    const noted = await write(async () => things.update((await things.get(_id))!, { note: 'a' }));
    expect(noted).toMatchObject({ note: 'a', slug });
    expect(await things.get(_id, { also: ['slugs'] })).toMatchObject({ slug, slugs: [slug] });
  });

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
    expect((await insert('foo')).slug.text).toMatch(/^foo-\d+$/);
    const renamed = await rename(thing, 'foo');
    expect(renamed.slug.text).toMatch(/^foo-\d+$/);
    await holder.abortTransaction();
    await holder.endSession();
    const back = await rename(renamed, 'bar');
    expect(back.slug).toEqual(thing.slug);
    expect((await rename(back, 'foo!')).slug).toEqual(renamed.slug);
  });
});

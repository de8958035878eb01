import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { useConnection, useModel } from '../../../../test/support/connection';
import { slugTables } from '../../../../test/support/slug-tables';
import { collection } from '../schema/record.schema';
import { Records } from '../records';
import { Transactions } from '../transactions/transactions';
import { addSlugIndexes, SluggedRecord } from '../schema/slug.schema';
import { slugText } from '../schema/slug-text';

@Schema(collection('things'))
class Thing extends SluggedRecord {
  @Prop({ type: String, required: true, slugFallback: 'thing' }) name!: string;
  @Prop({ type: String, default: null }) note!: string | null;
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
  it.each(Object.entries(slugTables))('%s', async (_about, steps) => {
    const all = new Map<string, Thing>();
    for (const [key, name, base = '', index = 0] of steps) {
      const known = all.get(key);
      if (name === undefined) {
        await new Transactions(connection).run(() => things.remove(known!));
        all.delete(key);
        continue;
      }
      const ownName = name.replace('@', 'thing');
      const ownBase = base.replace('@', 'thing');
      const thing = await (known ? rename(known, ownName) : insert(ownName));
      expect(thing.slug).toEqual({ text: slugText(ownBase, index), base: ownBase, index });
      all.set(key, thing);
    }
  });

  it('stays where the name is not set', async () => {
    const { _id, slug } = await insert('foo');
    const noted = await write(async () => things.update((await things.get(_id))!, { note: 'a' }));
    expect(noted).toMatchObject({ note: 'a', slug });
    expect(await things.get(_id, { also: ['slugs'] })).toMatchObject({ slug, slugs: [slug] });
  });

  it('is one of at most 51 that find it: old ones are dropped that it has not had for longest', async () => {
    const nameOf = (number: number): string => `name ${'x'.repeat(number)}`;
    let thing = await insert(nameOf(1));
    for (const number of [...Array.from({ length: 50 }, (_, index) => index + 2), 5, 60])
      thing = await rename(thing, nameOf(number));
    const { slugs } = (await things.get(thing._id, { also: ['slugs'] }))!;
    const numbers = slugs.map(({ text }) => text.length - 'name-'.length);
    const unused = Array.from({ length: 50 }, (_, index) => index + 2).filter((number) => number !== 5);
    expect(numbers).toEqual([...unused, 5, 60]);
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

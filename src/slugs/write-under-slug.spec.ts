import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, createConnection, type Model } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { newRecord } from '../database/derived-fields';
import { collection } from '../database/record.schema';
import { apiError } from '../errors/api-error';
import { addSlugIndexes, SluggedRecord, Slugs } from './slug.schema';
import { writeUnderSlug } from './write-under-slug';

@Schema(collection('things'))
class Thing extends SluggedRecord {
  @Prop({ type: String, required: true, searched: true }) name!: string;
}

const schema = SchemaFactory.createForClass(Thing);
addSlugIndexes(schema);

let connection: Connection;
let things: Model<Thing>;
beforeAll(async () => {
  connection = await createConnection(databaseUri('write-under-slug')).asPromise();
  things = connection.model<Thing>('Thing', schema);
  await things.createCollection();
  await things.createIndexes();
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});
beforeEach(() => things.deleteMany());

const insert = async (slugs: Slugs): Promise<string> => {
  await things.create([newRecord(schema, { name: 'foo', ...slugs })]);
  return slugs.slug.text;
};
/** Writes a record named foo. */
const foo = (write = insert, refuseTaken = () => Promise.resolve()): Promise<string> =>
  writeUnderSlug({ model: things, name: 'foo', fallback: 'thing', write, refuseTaken });

/** Loses each slug to another record before it is written, as often as this. */
function losing(times: number): typeof insert {
  let lost = 0;
  return async (slugs) => {
    if ((lost += 1) <= times) await insert({ ...slugs });
    return insert(slugs);
  };
}

describe('writeUnderSlug', () => {
  it('takes the next slug when another record gets the first one, twice', async () => {
    expect(await foo(losing(2))).toBe('foo-2');
  });

  it('gives each of ten simultaneous writers a slug of its own', async () => {
    const slugs = await Promise.all(Array.from({ length: 10 }, () => foo()));
    expect(new Set(slugs).size).toBe(10);
  });

  it('gives up with 1510 after thirty lost slugs, not before', async () => {
    expect(await foo(losing(29))).toBe('foo-29');
    await expect(foo(losing(30))).rejects.toMatchObject({ code: 1510 });
  });

  it('counts slugs that an open transaction holds as taken, and gives up with 1510 after five of them', async () => {
    const tried: string[] = [];
    const blocking =
      (count: number): typeof insert =>
      (slugs) => {
        tried.push(slugs.slug.text);
        return tried.length > count ? insert(slugs) : Promise.reject(apiError('concurrentChange'));
      };
    expect(await foo(blocking(5))).toBe('foo-5');
    await expect(foo(blocking(Infinity))).rejects.toMatchObject({ code: 1510 });
    expect(tried.slice(6)).toEqual(['foo-6', 'foo-7', 'foo-8', 'foo-9', 'foo-10', 'foo-11']);
  });

  it('does not give up the slug that the record has', async () => {
    const slug = { text: 'foo', base: 'foo', index: 0 };
    const write = jest.fn(() => Promise.reject(apiError('concurrentChange')));
    const own = { slug, slugs: [slug] };
    const update = { model: things, name: 'foo', fallback: 'thing', own, write, refuseTaken: () => Promise.resolve() };
    await expect(writeUnderSlug(update)).rejects.toMatchObject({ code: 1510 });
    expect(write).toHaveBeenCalledTimes(1);
  });

  it('throws the conflict of another unique field', async () => {
    await expect(foo(losing(1), () => Promise.reject(new Error('the name is taken')))).rejects.toThrow('name is taken');
  });

  it('throws other errors of a write unchanged', async () => {
    await expect(foo(() => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  });

  it('skips any number of slugs that other bases have taken', async () => {
    const slugs = Array.from({ length: 120 }, (_, index) => ({ text: `foo-${index + 1}`, base: 'other', index }));
    await insert({ slug: slugs[0]!, slugs });
    await foo();
    expect(await foo()).toBe('foo-121');
  });
});

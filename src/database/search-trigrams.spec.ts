import { type Connection, createConnection, Model, Schema } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { derivedFields } from './derived-fields';
import { trigramsOf, rarestTrigram, enableTrigramSearch } from './search-trigrams';

describe('the grams of a text', () => {
  it('are every three characters in a row, each once', () => {
    expect(trigramsOf('abcabcd')).toEqual(['abc', 'bca', 'cab', 'bcd']);
    expect(trigramsOf('ß😀 x')).toEqual(['ß😀 ', '😀 x']);
  });

  it('have no line break, and are none of a shorter text', () => {
    expect(trigramsOf('abc\nde\n\nfgh')).toEqual(['abc', 'fgh']);
    expect(trigramsOf('ab')).toEqual([]);
  });
});

describe('the gram to look up', () => {
  const schema = new Schema({ name: { type: String, searched: true } }, { collection: 'records' });
  let connection: Connection;
  let model: Model<object>;
  beforeEach(async () => {
    connection = await createConnection(databaseUri('search-trigrams')).asPromise();
    model = connection.model<object>('Record', schema);
    const names = Array.from({ length: 20 }, (_, number) => (number === 7 ? 'demo zebra' : 'demo horse'));
    await model.collection.insertMany(names.map((name) => derivedFields(schema, { name })));
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('is the one that the fewest records have, whatever the case of q', async () => {
    enableTrigramSearch(connection);
    expect(await rarestTrigram(model, 'Demo Zebra')).toBe('o z');
    expect(await rarestTrigram(model, 'demo zoo')).toBe(' zo');
  });

  it('is none where every gram is common, or q is too short to have one', async () => {
    enableTrigramSearch(connection);
    expect(await rarestTrigram(model, 'demo hor')).toBeUndefined();
    expect(await rarestTrigram(model, 'ze')).toBeUndefined();
  });

  it('is none before all records have their grams', async () => {
    expect(await rarestTrigram(model, 'zebra')).toBeUndefined();
  });
});

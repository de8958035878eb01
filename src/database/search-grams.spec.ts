import { type Connection, createConnection, Model, Schema } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { derivedFields } from './derived-fields';
import { gramsOf, rarestGram, relyOnGrams } from './search-grams';

describe('the grams of a text', () => {
  it('are every three characters in a row, each once', () => {
    expect(gramsOf('abcabcd')).toEqual(['abc', 'bca', 'cab', 'bcd']);
    expect(gramsOf('ß😀 x')).toEqual(['ß😀 ', '😀 x']);
  });

  it('have no line break, and are none of a shorter text', () => {
    expect(gramsOf('abc\nde\n\nfgh')).toEqual(['abc', 'fgh']);
    expect(gramsOf('ab')).toEqual([]);
  });
});

describe('the gram to look up', () => {
  const schema = new Schema({ name: { type: String, searched: true } }, { collection: 'records' });
  let connection: Connection;
  let model: Model<object>;
  beforeEach(async () => {
    connection = await createConnection(databaseUri('search-grams')).asPromise();
    model = connection.model<object>('Record', schema);
    const names = Array.from({ length: 20 }, (_, number) => (number === 7 ? 'demo zebra' : 'demo horse'));
    await model.collection.insertMany(names.map((name) => derivedFields(schema, { name })));
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('is the one that the fewest records have, whatever the case of q', async () => {
    relyOnGrams(connection);
    expect(await rarestGram(model, 'Demo Zebra')).toBe('o z');
    expect(await rarestGram(model, 'demo zoo')).toBe(' zo');
  });

  it('is none where every gram is common, or q is too short to have one', async () => {
    relyOnGrams(connection);
    expect(await rarestGram(model, 'demo hor')).toBeUndefined();
    expect(await rarestGram(model, 'ze')).toBeUndefined();
  });

  it('is none before all records have their grams', async () => {
    expect(await rarestGram(model, 'zebra')).toBeUndefined();
  });
});

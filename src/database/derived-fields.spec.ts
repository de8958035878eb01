import { Schema, Types } from 'mongoose';
import { changedFields, derivedFields, searchFilter, searchText } from './derived-fields';

const schema = new Schema<object>({
  name: { type: String, searched: true, keyField: 'nameKey' },
  nameKey: String,
  url: { type: String, searched: true },
  code: { type: String, keyField: 'codeKey' },
  codeKey: String,
  secret: String,
  partIds: [Schema.Types.ObjectId],
  ownerId: Schema.Types.ObjectId,
  since: Date,
});

describe('derived fields', () => {
  it('are the search text of the searched fields, and the key of each with a keyField', () => {
    const record = { url: 'https://Nets.example', name: 'Straße Ａ', code: 'É1', secret: 'HIDDEN' };
    expect(derivedFields(schema, record)).toEqual({
      nameKey: 'strasse a',
      codeKey: 'é1',
      searchText: 'strasse ａ\nhttps://nets.example',
      searchGrams: expect.arrayContaining(['str', 'e ａ', 'htt', 'ple']) as string[],
    });
  });

  it('leave out what the record lacks', () => {
    expect(derivedFields(schema, { name: 'A', url: null })).toEqual({ nameKey: 'a', searchText: 'a', searchGrams: [] });
    expect(derivedFields(schema, { searchText: 'b' })).toEqual({ searchText: '', searchGrams: [] });
  });
});

describe('the fields that a PUT changes', () => {
  const id = new Types.ObjectId();
  const since = new Date();
  const record = { name: 'A', partIds: [id], ownerId: id, since, secret: null };

  it('are none where ids and dates are the same in another form', () => {
    const body = { name: 'A', partIds: [id.toHexString()], ownerId: id.toHexString(), since: since.toISOString() };
    expect(changedFields(schema, record, body)).toEqual({});
  });

  it('are those that differ, as the body has them', () => {
    const other = new Types.ObjectId().toHexString();
    const changes = { name: 'a', partIds: [id.toHexString(), other], ownerId: null };
    expect(changedFields(schema, record, { ...changes, since: since.toISOString() })).toEqual(changes);
    expect(changedFields(schema, { partIds: [id] }, { partIds: [] })).toEqual({ partIds: [] });
  });

  it('count a field that the record lacks as null, and leave out what is not given or not stored', () => {
    expect(changedFields(schema, record, { secret: null, url: null })).toEqual({});
    expect(changedFields(schema, record, { secret: '', url: 'x' })).toEqual({ secret: '', url: 'x' });
    expect(changedFields(schema, record, { name: undefined, password: 'x' })).toEqual({});
  });
});

describe('a search', () => {
  it('finds text without regard to case, and no pattern', () => {
    const { searchText: pattern } = searchFilter('A.b(C)/-^$*+?[d]{e}|\\');
    const matches = new RegExp(pattern.$regex);
    expect(searchText(['x', 'a.B(c)/-^$*+?[D]{E}|\\', 'y'])).toMatch(matches);
    expect(searchText(['axb(c)'])).not.toMatch(matches);
  });
});

import { Schema, Types } from 'mongoose';
import { derivedFields, isFoundBy, searchFilter, searchText, withoutPrivateFields } from './derived-fields';

const schema = new Schema<object>({
  name: { type: String, searched: true, keyField: 'nameKey' },
  nameKey: String,
  url: { type: String, searched: true },
  code: { type: String, keyField: 'codeKey' },
  codeKey: String,
  secret: String,
  words: { type: [String], default: [], searched: true },
  searchText: String,
});

describe('derived fields', () => {
  it('are the search text of the searched fields, and the key of each with a keyField', () => {
    const record = {
      url: 'https://Nets.example',
      name: 'Straße Ａ',
      code: 'É1',
      secret: 'HIDDEN',
      words: ['sea', 'Net'],
    };
    expect(derivedFields(schema, record)).toEqual({
      nameKey: 'strasse a',
      codeKey: 'é1',
      searchText: 'strasse a\nhttps://nets.example\nsea\nnet',
    });
  });

  it('leave out what the record lacks', () => {
    expect(derivedFields(schema, { name: 'A', url: null })).toEqual({ nameKey: 'a', searchText: 'a' });
    expect(derivedFields(schema, { searchText: 'b' })).toEqual({ searchText: '' });
  });

  it('of an update are those of what it sets', () => {
    const record = { name: 'A', url: 'b', code: 'C' };
    expect(derivedFields(schema, record, { code: 'D' })).toEqual({ codeKey: 'd' });
    expect(derivedFields(schema, record, { url: 'x', code: null })).toEqual({ searchText: 'a\nx' });
  });

  it('have the times of dates, and none of a date that is cleared', () => {
    const dated = new Schema<object>({ endsAt: { type: String, timeField: 'endTime' }, endTime: Date, name: String });
    expect(derivedFields(dated, { endsAt: '2026-03-01' })).toEqual({ endTime: new Date('2026-03-01T00:00:00Z') });
    expect(derivedFields(dated, { endsAt: '2026-03-01' }, { endsAt: null })).toEqual({ endTime: null });
    expect(derivedFields(dated, { endsAt: '2026-03-01' }, { name: 'A' })).toEqual({});
  });
});

describe('a search', () => {
  const patternOf = (filter: object): RegExp =>
    new RegExp((filter as { searchText: { $regex: string } }).searchText.$regex);

  it('finds text without regard to case, and no pattern', () => {
    const matches = patternOf(searchFilter(schema, 'A.b(C)/-^$*+?[d]{e}|\\'));
    expect(searchText(['x', 'a.B(c)/-^$*+?[D]{E}|\\', 'y'])).toMatch(matches);
    expect(searchText(['axb(c)'])).not.toMatch(matches);
  });

  it.each(['\u00ad', ' \u200d'])('for %j, of which nothing but spaces is left, finds nothing', (q) => {
    expect(searchFilter(schema, q)).toEqual({ searchText: { $in: [] } });
    expect(isFoundBy(q, ['a b'])).toBe(false);
  });

  it('of other records’ fields finds the same', () => {
    const found = ['ANN', 'n o', 'nn', 'oslo', 'n\no'].filter((q) => isFoundBy(q, ['Ann', 'Oslo']));
    expect(found).toEqual(['ANN', 'nn', 'oslo']);
  });

  const people = new Schema<object>({
    email: { type: String, searched: 'private' },
    name: { type: String, searched: true },
    phone: { type: String, searched: 'private' },
    city: { type: String, searched: true },
    searchText: String,
  });

  it('for those who do not see private fields is of a text without them', () => {
    expect(withoutPrivateFields(people, 'ann\nb\noslo\nann@x\n12')).toBe('ann\nb\noslo');
    expect(withoutPrivateFields(schema, 'ann\nb')).toBe('ann\nb');
  });

  it('finds what private fields have in one record only, if it says which', () => {
    const own = new Types.ObjectId();
    const { searchText: text } = derivedFields(people, { email: 'ann@x', phone: '12', name: 'Ann', city: 'Oslo' });
    expect(text).toBe('ann\noslo\nann@x\n12');
    const found = (q: string): boolean[] => {
      const { $or } = searchFilter(people, q, own) as { $or: [object, object] };
      expect($or[1]).toMatchObject({ _id: own });
      return [searchFilter(people, q), ...$or].map((filter) => patternOf(filter).test(text as string));
    };
    for (const q of ['ann', 'nn', 'oslo', 'o']) expect(found(q)).toEqual([true, true, true]);
    for (const q of ['ann@', '@x', '1', '12']) expect(found(q)).toEqual([true, false, true]);
    for (const q of ['ann oslo', 'on']) expect(found(q)).toEqual([false, false, false]);
  });
});

import { type Row, type Search, SearchTexts } from './search-texts';

const id = (number: number): string => number.toString(16).padStart(24, '0');

/** Half of the rows in the order of their ids, as a build adds them, and half in another one, as they are written. */
function textsOf(rows: readonly Row[]): SearchTexts {
  const texts = new SearchTexts();
  const half = Math.floor(rows.length / 2);
  for (let at = 0; at < half; at += 100) texts.add(rows.slice(at, Math.min(at + 100, half)), true);
  for (const row of rows.slice(half).reverse()) texts.add([row], false);
  return texts;
}

/** What a search of all rows finds. */
function expected(rows: readonly Row[], { text, isBackwards, after, limit }: Search): object {
  const all = rows.filter(([, stored]) => stored.includes(text)).map(([_id]) => _id);
  const next = all.filter((_id) => after === undefined || (isBackwards ? _id < after : _id > after)).sort();
  const ids = isBackwards ? next.reverse() : next;
  return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
}

describe('a search of texts', () => {
  const words = [
    'nets',
    'näts',
    '漁網',
    '🕸️',
    'a"b*c',
    'near(x y)',
    '100%',
    '\0nul\0',
    '\ud800alone',
    'x'.repeat(9000),
    '',
  ];
  const rows = Array.from({ length: 3000 }, (_, at): Row => {
    const lines = [words[at % words.length], `number ${at}`, words[(at * 7) % 13] ?? ''];
    return [id(at), lines.join('\n')];
  });
  const texts = textsOf(rows);

  it.each([
    ...[
      'nets',
      'NETS',
      'näts',
      '網',
      '漁網',
      '🕸️',
      '🕸',
      'a"b*c',
      'near(x y)',
      '"*',
      '%',
      '100%',
      '\0',
      '\0nul',
      'xxx',
      'xx',
      'x',
    ],
    ...['number 2999', 'number 3000', 'r 1', '1', 'nets number', 'e', 'ä', '\u0301', 'nul\0 number', 'ber 29'],
  ])('finds the ids of all texts that contain it, in both orders, and no others: %j', (text) => {
    for (const isBackwards of [false, true])
      for (const after of [undefined, id(0), id(700), id(2000), id(2999)])
        for (const limit of [1, 40, 5000]) {
          const search = { text, isBackwards, after, limit };
          expect({ search, ...texts.find(search) }).toEqual({ search, ...expected(rows, search) });
        }
  });

  it('finds a surrogate that stands alone as it is stored', () => {
    const stored = textsOf([
      [id(1), '\ufffdalone'],
      [id(2), '\ufffdalone'],
    ]);
    expect(stored.find({ text: '\ud800al', limit: 9 })?.ids).toEqual([id(1), id(2)]);
  });

  it('finds a record by all texts that it had, once', () => {
    const changed = textsOf(rows);
    changed.add(
      [
        [id(5), 'fjord'],
        [id(5), 'freight'],
      ],
      false,
    );
    for (const text of ['fjord', 'freight']) expect(changed.find({ text, limit: 9 })?.ids).toEqual([id(5)]);
    const both = changed.find({ text: 'fr', isBackwards: true, limit: 9 });
    expect(both).toEqual({ ids: [id(5)], isAll: true });
  });

  it('finds the own record whatever its text is, in its place', () => {
    const search = { text: 'number 1', own: id(2), limit: 2 } as const;
    expect(texts.find(search)).toEqual({ ids: [id(1), id(2)], isAll: false });
    expect(texts.find({ ...search, after: id(2) })?.ids).toEqual([id(10), id(11)]);
  });

  it('that would have to read too much is left to the database', () => {
    const many = new SearchTexts();
    const text = 'ab ba aa bb '.repeat(700);
    for (let at = 0; at < 2100; at += 100)
      many.add(
        Array.from({ length: 100 }, (_, index) => [id(at + index), text] as const),
        true,
      );
    expect(many.find({ text: 'bba', limit: 9 })).toEqual({ ids: [], isAll: true });
    expect(many.find({ text: 'aa bb aa ba', limit: 9 })).toBeUndefined();
    expect(many.find({ text: 'aa bb', limit: 9 })?.isAll).toBe(false);
  });
});

test('The memory of texts is counted, that of a block which is made again once', () => {
  const texts = new SearchTexts();
  for (let at = 0; at < 50; at += 1) texts.add([[id(at), 'nets']], false);
  const again = new SearchTexts();
  again.add(
    Array.from({ length: 50 }, (_, at) => [id(at), 'nets'] as const),
    false,
  );
  expect(texts.bytes).toBe(again.bytes);
});

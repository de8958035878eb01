import { type Row, type Search, SearchTexts } from './search-texts';

const id = (number: number): string => number.toString(16).padStart(24, '0');
const row = (at: number, text: string, open = text.length): Row => ({ id: id(at), text, open });

function textsOf(rows: readonly Row[]): SearchTexts {
  const texts = new SearchTexts();
  for (const one of rows) texts.set(one);
  return texts;
}

/** What a search of all rows finds. */
function expected(rows: readonly Row[], { text, isBackwards, after, limit }: Search): object {
  const all = rows.filter((one) => one.text.includes(text)).map((one) => one.id);
  const next = all.filter((_id) => after === undefined || (isBackwards ? _id < after : _id > after)).sort();
  const ids = isBackwards ? next.reverse() : next;
  return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
}

describe('a search of texts', () => {
  const words = ['nets', 'näts', '漁網', '🕸️', 'a"b*c', '100%', '\0nul\0', '\ud800alone', 'x'.repeat(9000), ''];
  const rows = Array.from({ length: 3000 }, (_, at) => row(at, `${words[at % words.length]}\nnumber ${at}`));
  // Half in the order of their ids, as a build adds them, and half in another one.
  const texts = textsOf([...rows.slice(0, 1500), ...rows.slice(1500).reverse()]);

  it.each(['nets', 'NETS', '漁網', '🕸', '"*', '%', '\0nul', 'x', 'number 2999', 'number 3000', 'r 1', 'nets number'])(
    'finds the ids of all texts that contain it, in both orders, and no others: %j',
    (text) => {
      for (const isBackwards of [false, true])
        for (const after of [undefined, id(0), id(700), id(2000), id(2999)])
          for (const limit of [1, 40, 5000]) {
            const search = { text, isBackwards, after, limit, own: 'all' };
            expect({ search, ...texts.find(search) }).toEqual({ search, ...expected(rows, search) });
          }
    },
  );

  it('finds a changed record by its new text only', () => {
    const changed = textsOf([...rows, row(5, 'fjord')]);
    expect(changed.find({ text: 'fjord', own: 'all', limit: 9 }).ids).toEqual([id(5)]);
    expect(changed.find({ text: 'number 5\n', own: 'all', limit: 9 }).ids).toEqual([]);
    expect(changed.characters).toBe(texts.characters - rows[5]!.text.length + 5);
  });

  it('finds private fields of the own record, or of all', () => {
    const some = textsOf([1, 2, 3].map((at) => row(at, 'open\nprivate', 4)));
    const find = (text: string, own: string) => some.find({ text, own, limit: 9 }).ids;
    expect(find('private', id(2))).toEqual([id(2)]);
    expect(find('private', 'all')).toHaveLength(3);
    expect(find('open', id(2))).toHaveLength(3);
  });
});

import { type Found, type Row, type Search, SearchTexts } from './search-texts';

const id = (number: number): string => number.toString(16).padStart(24, '0');
const row = (at: number, text: string, open = text.length): Row => ({ id: id(at), text, open });

function textsOf(rows: readonly Row[]): SearchTexts {
  const texts = new SearchTexts();
  for (const one of rows) texts.set(one);
  return texts;
}

function find(texts: SearchTexts, search: Search): Found {
  const look = texts.look(search);
  for (;;) {
    const { done, value } = look.next();
    if (done) return value;
  }
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
            expect({ search, ...find(texts, search) }).toEqual({ search, ...expected(rows, search) });
          }
    },
  );

  it('finds a changed record by its new text only', () => {
    const changed = textsOf([...rows, row(5, 'fjord')]);
    expect(find(changed, { text: 'fjord', own: 'all', limit: 9 }).ids).toEqual([id(5)]);
    expect(find(changed, { text: 'number 5\n', own: 'all', limit: 9 }).ids).toEqual([]);
    expect(changed.characters).toBe(texts.characters - rows[5]!.text.length + 5);
  });

  it('finds private fields of one record, or of all', () => {
    const some = textsOf([1, 2, 3].map((at) => row(at, 'open\nprivate', 4)));
    const idsOf = (text: string, own: string) => find(some, { text, own, limit: 9 }).ids;
    expect(idsOf('private', id(2))).toEqual([id(2)]);
    expect(idsOf('private', 'all')).toHaveLength(3);
    expect(idsOf('open', id(2))).toHaveLength(3);
  });

  it.each([false, true])('finds once each record that has the text the whole time: backwards %s', (isBackwards) => {
    const some = textsOf(rows.map((one) => row(2 * Number(`0x${one.id}`), `nets ${one.text}`)));
    const look = some.look({ text: 'nets', isBackwards, own: 'all', limit: 9000 });
    let steps = 0;
    let next = look.next();
    for (; !next.done; next = look.next(), steps += 1)
      // New records, and texts that get longer, split the parts around the search.
      for (let at = 0; at < 200; at += 1) {
        const even = (at * 30 + 2 * steps) % 6000;
        some.set(row(even + 1, 'x'.repeat(3000)));
        some.set(row(even, `nets ${'y'.repeat(5000)}`));
      }
    expect(steps).toBeGreaterThan(50);
    const all = rows.map((_, at) => id(2 * at));
    expect(next.value).toEqual({ ids: isBackwards ? all.reverse() : all, isAll: true });
  });
});

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
    async (text) => {
      for (const isBackwards of [false, true])
        for (const after of [undefined, id(0), id(700), id(2000), id(2999)])
          for (const limit of [1, 40, 5000]) {
            const search = { text, isBackwards, after, limit, own: 'all' };
            expect({ search, ...(await texts.find(search)) }).toEqual({ search, ...expected(rows, search) });
          }
    },
  );

  it('finds a changed record by its new text only', async () => {
    const changed = textsOf([...rows, row(5, 'fjord')]);
    expect((await changed.find({ text: 'fjord', own: 'all', limit: 9 })).ids).toEqual([id(5)]);
    expect((await changed.find({ text: 'number 5\n', own: 'all', limit: 9 })).ids).toEqual([]);
    expect(changed.characters).toBe(texts.characters - rows[5]!.text.length + 5);
  });

  it('finds private fields of the own record, or of all', async () => {
    const some = textsOf([1, 2, 3].map((at) => row(at, 'open\nprivate', 4)));
    const find = async (text: string, own: string) => (await some.find({ text, own, limit: 9 })).ids;
    expect(await find('private', id(2))).toEqual([id(2)]);
    expect(await find('private', 'all')).toHaveLength(3);
    expect(await find('open', id(2))).toHaveLength(3);
  });

  it.each([false, true])(
    'pauses, and finds once each record that has the text meanwhile: backwards %s',
    async (isBackwards) => {
      const some = textsOf(rows.map((one) => row(2 * Number(`0x${one.id}`), `nets ${one.text}`)));
      // Each part takes longer than a search may without a pause.
      let now = 0;
      jest.spyOn(performance, 'now').mockImplementation(() => (now += 5));
      let isOver = false;
      const found = some.find({ text: 'nets', isBackwards, own: 'all', limit: 9000 }).finally(() => (isOver = true));
      let pauses = 0;
      for (; !isOver; pauses += 1) {
        // New records, and texts that get longer, split the parts around the search.
        for (let at = 0; at < 200; at += 1) {
          const even = (at * 30 + 2 * pauses) % 6000;
          some.set(row(even + 1, 'x'.repeat(3000)));
          some.set(row(even, `nets ${'y'.repeat(5000)}`));
        }
        await new Promise(setImmediate);
      }
      jest.restoreAllMocks();
      const { ids, isAll } = await found;
      expect(pauses).toBeGreaterThan(5);
      const all = rows.map((_, at) => id(2 * at));
      expect({ ids, isAll }).toEqual({ ids: isBackwards ? all.reverse() : all, isAll: true });
    },
  );
});

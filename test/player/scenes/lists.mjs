import { fails, holds, ids, links, ok, same } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

/** Five Organizations whose names share a word, in the order of their ids. */
async function five(world) {
  const [alice, word] = [await world.person('alice'), world.word()];
  const made = [];
  for (const end of ['a', 'b', 'c', 'd', 'e']) made.push(await world.organization(alice, { name: `${word} ${end}` }));
  return { alice, word, all: made.map(({ _id }) => _id) };
}

async function walk(caller, path) {
  const pages = [];
  for (let at = path; at; at = links(await caller.get(at)).next) pages.push(ids(await caller.get(at)));
  return pages;
}

async function refused(caller, path, queries) {
  for (const [query, name] of queries) {
    const { body } = fails(await caller.get(`${path}?${query}`), 400, 1002);
    holds(body.message.includes(name), `${query}: the message names ${name}`);
  }
}

/** @type {import('../play.mjs').Scene[]} Lists, paging and q: contract §1.4, §2 */
export const scenes = [
  [
    'the first skip are dropped, then at most limit are given, ordered by _id',
    async (world) => {
      const { alice, word, all } = await five(world);
      same(all.toSorted(), all, 'ids grow');
      for (const [query, expected] of [
        ['', all],
        ['&limit=2', all.slice(0, 2)],
        ['&skip=2', all.slice(2)],
        ['&skip=1&limit=3', all.slice(1, 4)],
        ['&skip=5', []],
        ['&skip=1000000&limit=100', []],
        [`&after=${all[2]}`, all.slice(3)],
        [`&after=${all[1]}&limit=1`, [all[2]]],
        [`&after=${'f'.repeat(24)}`, []],
        [`&after=${'0'.repeat(24)}`, all],
      ]) {
        same(ids(await alice.get(`/organizations?q=${word}${query}`)), expected, query);
      }
    },
  ],
  [
    'next uses after and keeps the other parameters; a walk partitions the list',
    async (world) => {
      const { alice, word, all } = await five(world);
      same(
        await walk(alice, `/organizations?q=${word}&limit=2`),
        [all.slice(0, 2), all.slice(2, 4), all.slice(4)],
        'pages',
      );
      same(await walk(alice, `/organizations?limit=5&q=${word}`), [all], 'a full last page has no next');
      const { next } = links(await alice.get(`/organizations?q=${word}&limit=2&managerId=${alice.id}`));
      const { pathname, searchParams } = new URL(next, 'http://x.example');
      holds(next.startsWith('/') && pathname.endsWith('/organizations'), 'an absolute path');
      same(Object.fromEntries(searchParams), { q: word, limit: '2', managerId: alice.id, after: all[1] }, 'its query');
    },
  ],
  [
    'no prev at the start and on pages with after; with skip, prev leads back',
    async (world) => {
      const { alice, word, all } = await five(world);
      const at = async (query) => links(await alice.get(`/organizations?q=${word}&limit=2${query}`));
      same((await at('')).prev, undefined, 'at the start');
      same((await at('&skip=0')).prev, undefined, 'at the start');
      same((await at(`&after=${all[1]}`)).prev, undefined, 'with after');
      same(ids(await alice.get((await at('&skip=4')).prev)), all.slice(2, 4), 'one page back');
      same(ids(await alice.get((await at('&skip=2')).prev)), all.slice(0, 2), 'to the start');
      same((await at('&skip=4')).next, undefined, 'no next at the end');
    },
  ],
  [
    'after may name a record that is gone; what is there throughout a walk comes exactly once',
    async (world) => {
      const { alice, word, all } = await five(world);
      const first = await alice.get(`/organizations?q=${word}&limit=2`);
      for (const id of [all[0], all[1]]) ok(await alice.delete(`/organizations/${id}`), 204);
      same(await walk(alice, links(first).next), [all.slice(2, 4), all.slice(4)], 'the rest, once');
    },
  ],
  [
    'Prefer: count=exact adds X-Total-Count',
    async (world) => {
      const { alice, word } = await five(world);
      const count = async (query, headers) =>
        ok(await alice.get(`/organizations?q=${word}${query}`, headers)).headers['x-total-count'];
      same(await count('&limit=2', { prefer: 'count=exact' }), '5', 'all that match');
      same(await count('&skip=4', { prefer: 'count=exact' }), '5', 'whatever the page');
      same(await count('', { prefer: 'respond-async, count=exact' }), '5', 'among others');
      same(await count(''), undefined, 'not unasked');
      same(await count('', { prefer: 'count=none' }), undefined, 'nor for another preference');
    },
  ],
  [
    'skip 0–1,000,000, limit 1–100, decimal digits; after an id; not both: else 1002, naming it',
    async (world) => {
      const [{ admin }, alice] = [world, await world.person('alice')];
      const { path } = await world.organization(alice);
      const odd = ['', '-1', '1.0', '1e1', '+1', '%201', '0x1', 'x', '١', '99999999999999999999'];
      const queries = [
        ...odd.flatMap((value) => [
          [`limit=${value}`, 'limit'],
          [`skip=${value}`, 'skip'],
        ]),
        ...[
          ['limit=0', 'limit'],
          ['limit=101', 'limit'],
          ['skip=1000001', 'skip'],
          ['limit=1&limit=1', 'limit'],
          ['skip=1&skip=2', 'skip'],
        ],
      ].map(([query, name]) => [encodeURI(query).replaceAll('%25', '%'), name]);
      for (const list of ['/organizations', '/users', `${path}/managers`, '/sessions'])
        await refused(admin, list, queries);
      await refused(admin, '/organizations', [
        ['after=x', 'after'],
        ['after=', 'after'],
        [`after=${NOBODY}&skip=0`, 'after'],
      ]);
      for (const query of ['limit=1', 'limit=100', 'skip=0', 'skip=1000000'])
        ok(await admin.get(`/organizations?${query}`));
    },
  ],
  [
    'an unknown parameter, one given twice, a control character, broken encoding: 1002, naming it',
    async (world) => {
      const alice = await world.person('alice');
      await refused(alice, '/organizations', [
        ...[
          ['sort=name', 'sort'],
          ['Q=x', 'Q'],
          ['q[$ne]=x', 'q[$ne]'],
          ['q[]=x', 'q[]'],
          ['q.x=1', 'q.x'],
          ['__proto__=x', '__proto__'],
        ],
        ...[
          ['q=a&q=a', 'q'],
          ['slug=a&slug=b', 'slug'],
          ['q=%00', 'q'],
          ['q=a%0Ab', 'q'],
          ['q=%7F', 'q'],
          ['q=%zz', 'q'],
          ['q=%ff', 'q'],
          ['q=%', 'q'],
        ],
        ...[
          ['username=x', 'username'],
          ['constructor=x', 'constructor'],
          ['limit=1&unknown', 'unknown'],
          ['slug=%00', 'slug'],
          ['q=%C2%85', 'q'],
        ],
      ]);
    },
  ],
  [
    'q: 1–100 characters, taken as it is: no pattern, not trimmed',
    async (world) => {
      const [alice, word] = [await world.person('alice'), world.word()];
      const made = await world.organization(alice, { name: `${word} (a.b)*[c] 100% $x ^y \\d` });
      const found = async (q) => ids(await alice.get(`/organizations?q=${encodeURIComponent(q)}`));
      for (const q of [`${word} (a.b)*[c]`, `${word} (a.b)*[c] 100% $x ^y \\d`]) same(await found(q), [made._id], q);
      for (const q of [`${word}.*`, `${word} .a.b`, `^${word}`, `${word}  `, ` ${word}`]) same(await found(q), [], q);
      holds((await found(' ')).length > 0, 'a space is a character');
      same(await found('\u{1F9A9}'.repeat(100)), [], '100 code points');
      await refused(alice, '/organizations', [
        ['q=', 'q'],
        [`q=${'x'.repeat(101)}`, 'q'],
        [`q=${encodeURIComponent('\u{1F9A9}'.repeat(101))}`, 'q'],
      ]);
    },
  ],
  [
    'a record matches where fold(field) contains fold(q): name, url, description',
    async (world) => {
      const [alice, word] = [await world.person('alice'), world.word()];
      const [name, url, text] = [
        await world.organization(alice, { name: `${word} Größe ΟΔΟΣ Caf\u00e9` }),
        await world.organization(alice, { url: `https://example.com/${word}/Größe` }),
        await world.organization(alice, { description: `About ${word}\ngröße` }),
      ];
      const found = async (q) => ids(await alice.get(`/organizations?q=${encodeURIComponent(q)}`));
      same(await found(word.toUpperCase()), [name._id, url._id, text._id], 'three fields');
      same(await found(`${word} GRÖSSE`), [name._id], 'ß is SS');
      for (const q of ['grösse οδοσ', 'GRÖSSE ΟΔΟς', 'größe οδος CAFE\u0301'])
        same(await found(`${word} ${q}`), [name._id], q);
      same(await found(`${word} grosse`), [], 'accents count');
      same(await found(`${word}/GRÖSSE`), [url._id], 'in the url');
      ok(await alice.put(name.path, { ...name, name: world.word() }));
      same(await found(`${word} GRÖSSE`), [], 'no longer');
    },
  ],
];

import { NOTHING, fresh } from '../caller.mjs';
import { fails, holds, ids, links, ok, same } from '../expect.mjs';

/** Five Organizations whose names share a word, in the order of their ids. */
async function five(alice) {
  const [word, all] = [fresh(), []];
  for (const end of ['a', 'b', 'c', 'd', 'e']) all.push((await alice.organization({ name: `${word} ${end}` }))._id);
  return { word, all };
}

async function walk(caller, path) {
  const pages = [];
  for (let at = path; at;) {
    const page = await caller.get(at);
    pages.push(ids(page));
    at = links(page).next;
  }
  return pages;
}

/** Each of these query strings is 400, and the message names the parameter. */
async function refused(caller, path, name, ...queries) {
  for (const query of queries) {
    const { body } = fails(await caller.get(`${path}?${query}`), 400, 1002);
    holds(body.message.includes(name), `${query}: the message names ${name}`);
  }
}

const search = async (caller, q) => ids(await caller.get(`/organizations?q=${encodeURIComponent(q)}`));

/** @type {import('../play.mjs').Scenes} Lists, paging and q: contract §1.4, §2 */
export const scenes = {
  'the first `skip` are dropped, then at most `limit` returned, ordered by _id': async ({ alice }) => {
    const { word, all } = await five(alice);
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
  'next uses after and keeps the other parameters; a walk partitions the list': async ({ alice }) => {
    const { word, all } = await five(alice);
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
  'the first page and pages with after have no prev; with skip, prev is the page before': async ({ alice }) => {
    const { word, all } = await five(alice);
    const at = async (query) => links(await alice.get(`/organizations?q=${word}&limit=2${query}`));
    same((await at('')).prev, undefined, 'at the start');
    same((await at('&skip=0')).prev, undefined, 'at the start');
    same((await at(`&after=${all[1]}`)).prev, undefined, 'with after');
    same(ids(await alice.get((await at('&skip=4')).prev)), all.slice(2, 4), 'one page back');
    same(ids(await alice.get((await at('&skip=2')).prev)), all.slice(0, 2), 'to the start');
    same((await at('&skip=4')).next, undefined, 'no next at the end');
  },
  'after may name a deleted record; records that exist all the time are read exactly once': async ({ alice }) => {
    const { word, all } = await five(alice);
    const first = await alice.get(`/organizations?q=${word}&limit=2`);
    for (const id of [all[0], all[1]]) ok(await alice.delete(`/organizations/${id}`), 204);
    same(await walk(alice, links(first).next), [all.slice(2, 4), all.slice(4)], 'the rest, once');
  },
  'Prefer: count=exact adds X-Total-Count': async ({ alice }) => {
    const { word } = await five(alice);
    const count = async (query, headers) =>
      ok(await alice.get(`/organizations?q=${word}${query}`, headers)).headers['x-total-count'];
    same(await count('&limit=2', { prefer: 'count=exact' }), '5', 'all that match');
    same(await count('&skip=4', { prefer: 'count=exact' }), '5', 'whatever the page');
    same(await count('', { prefer: 'respond-async, count=exact' }), '5', 'among others');
    same(await count(''), undefined, 'not unasked');
    same(await count('', { prefer: 'count=none' }), undefined, 'nor for another preference');
  },
  'skip 0–1,000,000, limit 1–100, in decimal digits; otherwise 1002, naming it': async ({ alice, admin }) => {
    const { path } = await alice.organization();
    const odd = ['', '-1', '1.0', '1e1', '+1', '%201', '0x1', 'x', '%D9%A1', '99999999999999999999'];
    for (const list of ['/organizations', '/users', `${path}/managers`, '/sessions']) {
      const limits = [...odd, '0', '101', '1&limit=1'].map((value) => `limit=${value}`);
      await refused(admin, list, 'limit', ...limits);
      await refused(admin, list, 'skip', ...[...odd, '1000001', '1&skip=2'].map((value) => `skip=${value}`));
    }
    for (const query of ['limit=1', 'limit=100', 'skip=0', 'skip=1000000'])
      ok(await admin.get(`/organizations?${query}`));
  },
  'after is an id and not together with skip; otherwise 1002, naming it': ({ alice }) =>
    refused(alice, '/organizations', 'after', 'after=x', 'after=', `after=${NOTHING}&skip=0`),
  'an unknown parameter, one given twice, a control character, broken encoding: 1002, naming it': async ({ alice }) => {
    for (const name of ['colour', 'Q', 'q[$ne]', 'q[]', 'q.x', '__proto__', 'constructor'])
      await refused(alice, '/organizations', name, `${name}=x`, `limit=1&${name}`);
    const values = ['%00', 'a%0Ab', '%7F', '%C2%85', '%zz', '%ff', '%'].map((value) => `q=${value}`);
    await refused(alice, '/organizations', 'q', 'q=a&q=a', ...values);
    await refused(alice, '/organizations', 'slug', 'slug=a&slug=b', 'slug=%00');
  },
  'q: 1–100 characters, used as sent: no pattern, not trimmed': async ({ alice }) => {
    const word = fresh();
    const made = await alice.organization({ name: `${word} (a.b)*[c] 100% $x ^y \\d` });
    for (const q of [`${word} (a.b)*[c]`, made.name]) same(await search(alice, q), [made._id], q);
    for (const q of [`${word}.*`, `${word} .a.b`, `^${word}`, `${word}  `, ` ${word}`])
      same(await search(alice, q), [], q);
    holds((await search(alice, ' ')).length > 0, 'a space is a character');
    const flamingos = '\u{1F9A9}'.repeat(100);
    same(await search(alice, flamingos), [], '100 code points');
    const tooLong = ['x'.repeat(101), encodeURIComponent(`${flamingos}x`)];
    await refused(alice, '/organizations', 'q', 'q=', ...tooLong.map((q) => `q=${q}`));
  },
  'a record matches if caseFold(field) contains caseFold(q): name, url, description': async ({ alice }) => {
    const word = fresh();
    const name = await alice.organization({ name: `${word} Größe ΟΔΟΣ Caf\u00e9` });
    const url = await alice.organization({ url: `https://example.com/${word}/Größe` });
    const text = await alice.organization({ description: `About ${word}\ngröße` });
    for (const [q, found] of [
      [word.toUpperCase(), [name, url, text]],
      [`${word} GRÖSSE`, [name]],
      [`${word} grösse οδοσ`, [name]],
      [`${word} GRÖSSE ΟΔΟς`, [name]],
      [`${word} größe οδος CAFE\u0301`, [name]],
      [`${word} grosse`, []],
      [`${word}/GRÖSSE`, [url]],
    ]) {
      const expected = found.map(({ _id }) => _id);
      same(await search(alice, q), expected, q);
    }
    ok(await alice.put(name.path, { ...name, name: fresh() }));
    same(await search(alice, `${word} GRÖSSE`), [], 'no longer');
  },
};

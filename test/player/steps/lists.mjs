import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, newWord } from '../client.mjs';
import { fails, ids, links, ok } from '../expect.mjs';
import { admin, alice } from '../main.mjs';

/** Lists, paging and q: contract §1.4, §2 */

/** Creates five Organizations whose names share a word. @returns their word, and their ids in order */
async function createFive() {
  const [word, all] = [newWord(), []];
  for (const end of ['a', 'b', 'c', 'd', 'e']) all.push((await alice.organization({ name: `${word} ${end}` }))._id);
  return { word, all };
}

/** Follows `next` from page to page. */
async function readPages(path) {
  const pages = [];
  for (let at = path; at;) {
    const page = await alice.get(at);
    pages.push(ids(page));
    at = links(page).next;
  }
  return pages;
}

/** Each of these query strings is 1002, and the message names the parameter. */
async function refused(client, path, name, ...queries) {
  for (const query of queries) {
    const { message } = fails(await client.get(`${path}?${query}`), 400, 1002).body;
    assert.ok(message.includes(name), `${query}: ${message}`);
  }
}

const search = async (q) => ids(await alice.get(`/organizations?q=${encodeURIComponent(q)}`));

test('A list is ordered by id, and cut by skip, limit and after', async () => {
  const { word, all } = await createFive();
  for (const [query, expected] of [
    ['', all.toSorted()],
    ['&skip=1&limit=3', all.slice(1, 4)],
    ['&skip=1000000&limit=100', []],
    [`&after=${all[1]}&limit=1`, [all[2]]],
    [`&after=${'0'.repeat(24)}`, all],
  ])
    assert.deepEqual(ids(await alice.get(`/organizations?q=${word}${query}`)), expected, query);
});

test('Link leads through all pages and keeps the other parameters', async () => {
  const { word, all } = await createFive();
  const path = `/organizations?q=${word}&limit=2`;
  assert.deepEqual(await readPages(path), [all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  assert.deepEqual(await readPages(`/organizations?limit=5&q=${word}`), [all]);
  const first = links(await alice.get(`${path}&managerId=${alice.id}`));
  const { pathname, searchParams } = new URL(first.next, 'http://x.example');
  assert.ok(pathname.endsWith('/organizations'));
  const query = { q: word, limit: '2', managerId: alice.id, after: all[1] };
  assert.deepEqual(Object.fromEntries(searchParams), query);
  assert.equal(first.prev, undefined);
  assert.equal(links(await alice.get(`${path}&after=${all[1]}`)).prev, undefined);
  const last = links(await alice.get(`${path}&skip=4`));
  assert.deepEqual([ids(await alice.get(last.prev)), last.next], [all.slice(2, 4), undefined]);
});

test('Records that exist all the time are read exactly once, also after a deletion', async () => {
  const { word, all } = await createFive();
  const first = await alice.get(`/organizations?q=${word}&limit=2`);
  for (const id of [all[0], all[1]]) ok(await alice.delete(`/organizations/${id}`), 204);
  assert.deepEqual(await readPages(links(first).next), [all.slice(2, 4), all.slice(4)]);
});

test('Prefer: count=exact adds X-Total-Count', async () => {
  const { word } = await createFive();
  for (const [prefer, count] of [
    ['count=exact', '5'],
    ['respond-async, count=exact', '5'],
    ['count=none', undefined],
  ]) {
    const { headers } = ok(await alice.get(`/organizations?q=${word}&limit=2`, { prefer }));
    assert.equal(headers['x-total-count'], count, prefer);
  }
});

test('Invalid parameters of a list are 1002 and named', async () => {
  const { path } = await alice.organization();
  const numbers = ['', '-1', '1.0', '1e1', '%201', '0x1', '%D9%A1', '99999999999999999999'];
  for (const list of ['/organizations', `${path}/managers`, '/sessions']) {
    await refused(admin, list, 'limit', ...[...numbers, '0', '101'].map((value) => `limit=${value}`));
    await refused(admin, list, 'skip', ...[...numbers, '1000001'].map((value) => `skip=${value}`));
  }
  await refused(alice, '/organizations', 'after', 'after=x', 'after=', `after=${UNKNOWN_ID}&skip=0`);
  for (const name of ['colour', 'Q', 'q[$ne]', '__proto__']) await refused(alice, '/organizations', name, `${name}=x`);
  await refused(alice, '/organizations', 'q', 'q=', 'q=a&q=a', 'q=%00', 'q=a%0Ab', 'q=%zz', 'q=%ff');
  await refused(alice, '/organizations', 'q', `q=${encodeURIComponent('\u{1F9A9}'.repeat(101))}`);
  assert.deepEqual(await search('\u{1F9A9}'.repeat(100)), []);
});

test('q is used as sent: it is no pattern and not trimmed', async () => {
  const word = newWord();
  const made = await alice.organization({ name: `${word} (a.b)*[c] 100% $x ^y \\d` });
  for (const q of [`${word} (a.b)*[c]`, made.name]) assert.deepEqual(await search(q), [made._id], q);
  for (const q of [`${word}.*`, `${word} .a.b`, `${word}  `, ` ${word}`]) assert.deepEqual(await search(q), [], q);
});

test('q finds name, url and description by their case fold', async () => {
  const word = newWord();
  const name = await alice.organization({ name: `${word} Größe ΟΔΟΣ Caf\u00e9` });
  const url = await alice.organization({ url: `https://example.com/${word}/Größe` });
  const text = await alice.organization({ description: `About ${word}\ngröße` });
  for (const [q, ...found] of [
    [word.toUpperCase(), name, url, text],
    [`${word} GRÖSSE ΟΔΟς CAFE\u0301`, name],
    [`${word} grosse`],
    [`${word}/GRÖSSE`, url],
  ]) {
    const expected = found.map(({ _id }) => _id);
    assert.deepEqual(await search(q), expected, q);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord } from '../client.mjs';
import { ids, links, ok } from '../expect.mjs';
import { alice } from '../main.mjs';

/** Lists, paging and q: contract §1.4, §2 */

/** Creates five Organizations whose names share a word. @returns their word, and their ids in order */
async function createFive() {
  const [word, all] = [newWord(), []];
  for (const end of ['a', 'b', 'c', 'd', 'e']) all.push((await alice.organization({ name: `${word} ${end}` }))._id);
  return { word, all };
}

const search = async (q) => ids(await alice.get(`/organizations?q=${encodeURIComponent(q)}`));

test('A list is ordered by id, and cut by skip, limit and after', async () => {
  const { word, all } = await createFive();
  for (const [query, expected] of [
    ['', all.toSorted()],
    ['&skip=1&limit=3', all.slice(1, 4)],
    ['&skip=1000000&limit=100', []],
    [`&after=${all[1]}&limit=1`, [all[2]]],
  ])
    assert.deepEqual(ids(await alice.get(`/organizations?q=${word}${query}`)), expected, query);
  const counted = await alice.get(`/organizations?q=${word}&limit=2`, { prefer: 'count=exact' });
  assert.equal(ok(counted).headers['x-total-count'], '5');
});

test('Link leads to the records that stay exactly once, and keeps the other parameters', async () => {
  const { word, all } = await createFive();
  const first = await alice.get(`/organizations?q=${word}&limit=2&managerId=${alice.id}`);
  const { searchParams } = new URL(links(first).next, 'http://x.example');
  const query = { q: word, limit: '2', managerId: alice.id, after: all[1] };
  assert.deepEqual(Object.fromEntries(searchParams), query);
  for (const id of [all[0], all[1]]) ok(await alice.delete(`/organizations/${id}`), 204);
  const second = await alice.get(links(first).next);
  const third = await alice.get(links(second).next);
  assert.deepEqual([ids(second), ids(third), links(third).next], [all.slice(2, 4), all.slice(4), undefined]);
  const last = links(await alice.get(`/organizations?q=${word}&limit=2&skip=2`));
  assert.deepEqual([ids(await alice.get(last.prev)), last.next], [all.slice(2, 4), undefined]);
});

test('q finds name, url and description by their case fold; it is no pattern and not trimmed', async () => {
  const word = newWord();
  const name = await alice.organization({ name: `${word} Größe ΟΔΟΣ Caf\u00e9 (a.b)*` });
  const url = await alice.organization({ url: `https://example.com/${word}/Größe` });
  const text = await alice.organization({ description: `About ${word}\ngröße` });
  for (const [q, ...found] of [
    [word.toUpperCase(), name, url, text],
    [`${word} GRÖSSE ΟΔΟς CAFE\u0301 (a.b)*`, name],
    [`${word}/GRÖSSE`, url],
    [`${word} grosse`],
    [`${word}.*`],
    [`${word}  `],
  ]) {
    const expected = found.map(({ _id }) => _id);
    assert.deepEqual(await search(q), expected, q);
  }
});

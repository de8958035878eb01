import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord } from '../client.mjs';
import { ids, links, ok } from '../expect.mjs';
import { alice } from '../main.mjs';

/** Lists: contract §2 */

test('Link leads to the records that stay exactly once, and keeps the other parameters', async () => {
  const [word, all] = [newWord(), []];
  for (const end of ['a', 'b', 'c', 'd', 'e']) all.push((await alice.organization({ name: `${word} ${end}` }))._id);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedBody, newWord } from '../client.mjs';
import { created, ids, ok } from '../expect.mjs';
import { alice } from '../main.mjs';

/** Slugs: contract §3 */

const slugOf = ({ slug, friendlySlugs }) => [slug, friendlySlugs.slug.base, friendlySlugs.slug.index];
const slugFor = async (name) => slugOf(await alice.organization({ name }));
const rename = async (organization, name) =>
  slugOf(ok(await alice.put(organization.path, { ...organization, name })).body.data);
const found = async (slug) => ids(await alice.get(`/organizations?slug=${slug}`));

test('A slug is the transliterated name, cut at 80 characters; slugs that are in use are skipped', async () => {
  const [foo, long] = [newWord(), newWord().padEnd(100, 'b')];
  assert.deepEqual(await slugFor(foo), [foo, foo, 0]);
  assert.deepEqual(await slugFor(`${foo} 1`), [`${foo}-1`, `${foo}-1`, 0]);
  assert.deepEqual(await slugFor(`${foo}!`), [`${foo}-2`, foo, 2]);
  const transliterated = `te-shu-tian-o-reilly-uni-${foo}`;
  assert.equal((await slugFor(`--特殊天 O'Reilly & ÜNÏ_${foo}`))[0], transliterated);
  assert.equal((await slugFor(long))[0], long.slice(0, 80));
});

test('A record keeps its old slugs and gets them back; a deletion frees them', async () => {
  const [foo, bar] = [newWord(), newWord()];
  const first = await alice.organization({ name: foo });
  assert.deepEqual(await rename(first, bar), [bar, bar, 0]);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), [first._id]);
  assert.deepEqual(await slugFor(foo), [`${foo}-1`, foo, 1]);
  assert.deepEqual(await rename(first, `${foo}!`), [foo, foo, 0]);
  ok(await alice.delete(first.path), 204);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), []);
  assert.deepEqual(await slugFor(`${foo}?`), [`${foo}-2`, foo, 2]);
});

test('A slug race never fails: the next free slugs are used', async () => {
  const foo = newWord();
  const bodies = ['', '!', '?', '!!'].map((end) => namedBody({ name: foo + end }));
  const responses = await Promise.all(bodies.map((body) => alice.post('/organizations', body)));
  const slugs = responses.map((response) => created(response).slug).sort();
  assert.deepEqual(slugs, [foo, `${foo}-1`, `${foo}-2`, `${foo}-3`]);
});

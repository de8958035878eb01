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

test('Slugs that are in use are skipped', async () => {
  const foo = newWord();
  assert.deepEqual(await slugFor(foo), [foo, foo, 0]);
  assert.deepEqual(await slugFor(`${foo} 1`), [`${foo}-1`, `${foo}-1`, 0]);
  assert.deepEqual(await slugFor(`${foo}!`), [`${foo}-2`, foo, 2]);
});

test('A slug is the transliterated name in lower case, with single hyphens', async () => {
  const word = newWord();
  for (const [name, slug] of [
    [`ünï ${word}`, `uni-${word}`],
    [`O'Reilly & Sons ${word}`, `o-reilly-sons-${word}`],
    [`特殊天 ${word}`, `te-shu-tian-${word}`],
    [`--${word.toUpperCase()} _ 9.1 !`, `${word}-9-1`],
  ])
    assert.equal((await slugFor(name))[0], slug);
  const punctuation = [...newWord()].map((letter) => '!?'.repeat(letter.charCodeAt(0) % 7)).join('-');
  assert.equal((await slugFor(punctuation + Math.random().toString().replaceAll(/\d/g, '!')))[1], 'organization');
});

test('A slug is cut at the last hyphen within 80 characters, or at 80', async () => {
  const [one, two] = [newWord(), newWord()].map((word) => word.padEnd(40, 'b'));
  assert.equal((await slugFor(`${one} ${'c'.repeat(45)}`))[0], one);
  assert.equal((await slugFor(two.padEnd(100, 'b')))[0], two.padEnd(80, 'b'));
  assert.equal((await slugFor(`${two.padEnd(100, 'b')}!`))[0], `${two.padEnd(80, 'b')}-1`);
});

test('A record keeps its old slugs and gets them back', async () => {
  const [foo, bar] = [newWord(), newWord()];
  const first = await alice.organization({ name: foo });
  assert.deepEqual(await rename(first, `${foo}?`), [foo, foo, 0]);
  assert.deepEqual(await rename(first, bar), [bar, bar, 0]);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), [first._id]);
  assert.deepEqual(await slugFor(foo), [`${foo}-1`, foo, 1]);
  assert.deepEqual(await rename(first, `${foo}!`), [foo, foo, 0]);
});

test('The next index is the highest current one plus 1, and a deletion frees all slugs', async () => {
  const [foo, bar] = [newWord(), newWord()];
  const first = await alice.organization({ name: foo });
  const second = await alice.organization({ name: `${foo}!` });
  await rename(first, bar);
  ok(await alice.delete(first.path), 204);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), []);
  const third = await alice.organization({ name: `${foo}?` });
  assert.deepEqual(slugOf(third), [`${foo}-2`, foo, 2]);
  for (const { path } of [second, third]) ok(await alice.delete(path), 204);
  assert.deepEqual(await slugFor(foo), [foo, foo, 0]);
});

test('A slug race never fails: the next free slugs are used', async () => {
  const foo = newWord();
  const bodies = ['', '!', '?', '!!'].map((end) => namedBody({ name: foo + end }));
  const responses = await Promise.all(bodies.map((body) => alice.post('/organizations', body)));
  const slugs = responses.map((response) => created(response).slug).sort();
  assert.deepEqual(slugs, [foo, `${foo}-1`, `${foo}-2`, `${foo}-3`]);
});

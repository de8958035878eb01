import { fresh, namedFields } from '../caller.mjs';
import { created, ids, ok, same } from '../expect.mjs';

const slugOf = (record) => [record.slug, record.friendlySlugs.slug.base, record.friendlySlugs.slug.index];

/** A name of punctuation only, different for each word. */
const punctuation = (word) => {
  const bits = [...word].map((letter) => letter.charCodeAt(0).toString(2)).join('');
  return bits.replaceAll('0', '!').replaceAll('1', '?');
};

/** @type {import('../play.mjs').Scenes} The golden sentences about slugs: contract §3 */
export const scenes = {
  '`foo`; `foo 1` → `foo-1` {`foo-1`, 0}; `foo!` → `foo-2` {`foo`, 2}': async ({ alice }) => {
    const foo = fresh();
    same(slugOf(await alice.organization({ name: foo })), [foo, foo, 0], 'the base itself');
    same(slugOf(await alice.organization({ name: `${foo} 1` })), [`${foo}-1`, `${foo}-1`, 0], 'a base with a number');
    same(slugOf(await alice.organization({ name: `${foo}!` })), [`${foo}-2`, foo, 2], 'skips what is in use');
  },
  'transliterated, in lower case, with one - for each run of other characters': async ({ alice }) => {
    const word = fresh();
    for (const [name, slug] of [
      [`ünï ${word}`, `uni-${word}`],
      [`O'Reilly & Sons ${word}`, `o-reilly-sons-${word}`],
      [`特殊天 ${word}`, `te-shu-tian-${word}`],
      [`--${word.toUpperCase()} _ 9.1 !`, `${word}-9-1`],
    ])
      same((await alice.organization({ name })).slug, slug, name);
  },
  'an empty base becomes `organization`': async ({ alice }) => {
    const made = await alice.organization({ name: punctuation(fresh()) });
    same(made.friendlySlugs.slug.base, 'organization', 'the base');
  },
  'cut at the last - within 80, or at 80 if there is none; the index is not counted': async ({ alice }) => {
    const [one, two, three] = [fresh(), fresh(), fresh()];
    const fill = (word, length) => (word + 'b'.repeat(length)).slice(0, length);
    const exact = `${fill(three, 40)}-${'d'.repeat(39)}`;
    for (const [name, slug] of [
      [`${fill(one, 40)} ${'c'.repeat(45)}`, fill(one, 40)],
      [fill(two, 100), fill(two, 80)],
      [`${fill(two, 100)}!`, `${fill(two, 80)}-1`],
      [exact, exact],
    ])
      same((await alice.organization({ name })).slug, slug, name);
  },
  'a new name with the same base keeps the slug; with another base, both slugs find the record': async ({ alice }) => {
    const [foo, bar] = [fresh(), fresh()];
    const made = await alice.organization({ name: foo });
    same(ok(await alice.put(made.path, { ...made, name: `${foo}?` })).body.data.slug, foo, 'kept');
    same(slugOf(ok(await alice.put(made.path, { ...made, name: bar })).body.data), [bar, bar, 0], 'a new one');
    for (const slug of [foo, bar])
      same(ids(await alice.get(`/organizations?slug=${slug}`)), [made._id], 'both find it');
  },
  'no other record gets an old slug; its record gets it back with that base': async ({ alice }) => {
    const [foo, bar] = [fresh(), fresh()];
    const first = await alice.organization({ name: foo });
    ok(await alice.put(first.path, { ...first, name: bar }));
    const second = await alice.organization({ name: foo });
    same(slugOf(second), [`${foo}-1`, foo, 1], 'the old one is in use');
    same(slugOf(ok(await alice.put(first.path, { ...first, name: `${foo}!` })).body.data), [foo, foo, 0], 'taken back');
    same(ids(await alice.get(`/organizations?slug=${bar}`)), [first._id], 'the one in between is an old one now');
  },
  'the next index is the highest current one + 1; a deletion frees all slugs': async ({ alice }) => {
    const [foo, bar] = [fresh(), fresh()];
    const first = await alice.organization({ name: foo });
    const second = await alice.organization({ name: `${foo}!` });
    ok(await alice.put(first.path, { ...first, name: bar }));
    ok(await alice.delete(first.path), 204);
    for (const slug of [foo, bar]) same(ids(await alice.get(`/organizations?slug=${slug}`)), [], 'freed');
    const third = await alice.organization({ name: `${foo}?` });
    same(slugOf(third), [`${foo}-2`, foo, 2], 'the highest current one + 1');
    for (const { path } of [second, third]) ok(await alice.delete(path), 204);
    same(slugOf(await alice.organization({ name: foo })), [foo, foo, 0], 'all free again');
  },
  'a race for a slug has no loser: the service takes the next free one': async ({ alice }) => {
    const foo = fresh();
    const names = ['', '!', '?', '!!', '??', '!?'].map((end) => foo + end);
    const responses = await Promise.all(names.map((name) => alice.post('/organizations', namedFields({ name }))));
    const slugs = responses.map((response) => created(response).slug).sort();
    same(slugs, [foo, ...[1, 2, 3, 4, 5].map((index) => `${foo}-${index}`)], 'six slugs');
  },
};

import { created, ids, ok, same } from '../expect.mjs';

const slugOf = (record) => [record.slug, record.friendlySlugs.slug.base, record.friendlySlugs.slug.index];

/** A name of punctuation only, told apart by its pattern. */
const punctuation = (word) =>
  [...word]
    .map((letter) => letter.charCodeAt(0).toString(2))
    .join('')
    .replaceAll('0', '!')
    .replaceAll('1', '?');

/** @type {import('../play.mjs').Scene[]} The golden sentences about slugs: contract §3 */
export const scenes = [
  [
    '`foo`; `foo 1` → `foo-1` {`foo-1`, 0}; `foo!` → `foo-2` {`foo`, 2}',
    async (world) => {
      const [alice, foo] = [await world.person('alice'), world.word()];
      same(slugOf(await world.organization(alice, { name: foo })), [foo, foo, 0], 'the base itself');
      same(
        slugOf(await world.organization(alice, { name: `${foo} 1` })),
        [`${foo}-1`, `${foo}-1`, 0],
        'a base with a number',
      );
      same(slugOf(await world.organization(alice, { name: `${foo}!` })), [`${foo}-2`, foo, 2], 'skips what is in use');
    },
  ],
  [
    'transliterated, lower case, runs of anything else become one -, none at the ends',
    async (world) => {
      const alice = await world.person('alice');
      for (const [name, base] of [
        ['ünï', 'uni'],
        ["O'Reilly & Sons", 'o-reilly-sons'],
        ['特殊天', 'te-shu-tian'],
      ]) {
        const word = world.word();
        same((await world.organization(alice, { name: `${name} ${word}` })).slug, `${base}-${word}`, name);
      }
      const word = world.word();
      same(
        (await world.organization(alice, { name: `--${word.toUpperCase()} _ 9.1 !` })).slug,
        `${word}-9-1`,
        'runs and ends',
      );
    },
  ],
  [
    'an empty base becomes `organization`',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice, { name: punctuation(world.word()) });
      same(made.friendlySlugs.slug.base, 'organization', 'the base');
    },
  ],
  [
    'cut at the last - within 80, at 80 if there is none; the index comes after',
    async (world) => {
      const alice = await world.person('alice');
      const [one, two, three] = [world.word(), world.word(), world.word()];
      const fill = (word, length) => (word + 'b'.repeat(length)).slice(0, length);
      same(
        (await world.organization(alice, { name: `${fill(one, 40)} ${'c'.repeat(45)}` })).slug,
        fill(one, 40),
        'at the last -',
      );
      same((await world.organization(alice, { name: fill(two, 100) })).slug, fill(two, 80), 'at 80');
      same((await world.organization(alice, { name: `${fill(two, 100)}!` })).slug, `${fill(two, 80)}-1`, 'index after');
      const exact = `${fill(three, 40)}-${'d'.repeat(39)}`;
      same((await world.organization(alice, { name: exact })).slug, exact, '80 is not cut');
    },
  ],
  [
    'a new name with the same base keeps the slug; another makes a new one, and the old still finds the record',
    async (world) => {
      const [alice, foo, bar] = [await world.person('alice'), world.word(), world.word()];
      const made = await world.organization(alice, { name: foo });
      same(ok(await alice.put(made.path, { ...made, name: `${foo}?` })).body.data.slug, foo, 'kept');
      same(slugOf(ok(await alice.put(made.path, { ...made, name: bar })).body.data), [bar, bar, 0], 'a new one');
      for (const slug of [foo, bar])
        same(ids(await alice.get(`/organizations?slug=${slug}`)), [made._id], 'both find it');
    },
  ],
  [
    'an old slug is given to nobody else, and taken back when its record returns to that base',
    async (world) => {
      const [alice, foo, bar] = [await world.person('alice'), world.word(), world.word()];
      const first = await world.organization(alice, { name: foo });
      ok(await alice.put(first.path, { ...first, name: bar }));
      const second = await world.organization(alice, { name: foo });
      same(slugOf(second), [`${foo}-1`, foo, 1], 'the old one is in use');
      same(
        slugOf(ok(await alice.put(first.path, { ...first, name: `${foo}!` })).body.data),
        [foo, foo, 0],
        'taken back',
      );
      same(ids(await alice.get(`/organizations?slug=${bar}`)), [first._id], 'the one in between is an old one now');
    },
  ],
  [
    'the next index is the highest current one + 1; a deletion frees all',
    async (world) => {
      const [alice, foo, bar] = [await world.person('alice'), world.word(), world.word()];
      const first = await world.organization(alice, { name: foo });
      const second = await world.organization(alice, { name: `${foo}!` });
      ok(await alice.put(first.path, { ...first, name: bar }));
      ok(await alice.delete(first.path), 204);
      for (const slug of [foo, bar]) same(ids(await alice.get(`/organizations?slug=${slug}`)), [], 'freed');
      const third = await world.organization(alice, { name: `${foo}?` });
      same(slugOf(third), [`${foo}-2`, foo, 2], 'the highest current one + 1');
      for (const { path } of [second, third]) ok(await alice.delete(path), 204);
      same(slugOf(await world.organization(alice, { name: foo })), [foo, foo, 0], 'all free again');
    },
  ],
  [
    'a race for a slug has no loser: the service takes the next free one',
    async (world) => {
      const [alice, foo] = [await world.person('alice'), world.word()];
      const names = ['', '!', '?', '!!', '??', '!?'].map((end) => foo + end);
      const answers = await Promise.all(
        names.map((name) => alice.post('/organizations', world.organizationFields({ name }))),
      );
      const slugs = answers.map((answer) => created(answer).slug).sort();
      same(slugs, [foo, ...[1, 2, 3, 4, 5].map((index) => `${foo}-${index}`)], 'six slugs');
    },
  ],
];

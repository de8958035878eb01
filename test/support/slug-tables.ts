/** What is written: its new name, and the slug that it gets; or that it is deleted. */
type Step = readonly [record: string, name: string, base: string, index?: number] | readonly [deleted: string];

/** The golden tables of contract §10.5: each begins with an empty collection. `@` is its fallback. */
export const slugTables: Readonly<Record<string, readonly Step[]>> = {
  'a name is transliterated and cut': [
    ['a', 'ünï', 'uni'],
    ['f', 'x'.repeat(100), 'x'.repeat(80)],
    ['g', `${'x'.repeat(100)}!`, 'x'.repeat(80), 1],
  ],
  'a name that leaves nothing has the fallback': [
    ['a', '!!', '@'],
    ['b', '?', '@', 1],
    ['c', '@', '@', 2],
  ],
  'the next index is the highest + 1, and skips slugs in use': [
    ['a', 'foo', 'foo'],
    ['b', 'foo 1', 'foo-1'],
    ['c', 'foo!', 'foo', 2],
    ['d', 'foo 1!', 'foo-1', 1],
    ['e', 'foo?', 'foo', 3],
  ],
  'an index that became free below the highest stays so': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['c', 'foo?', 'foo', 2],
    ['b'],
    ['d', 'foo.', 'foo', 3],
    ['d'],
    ['e', 'foo,', 'foo', 3],
    ['a'],
    ['f', 'foo:', 'foo', 4],
  ],
  'a new name with the same base keeps the slug': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['b', 'FOO?', 'foo', 1],
    ['a', 'Foo ', 'foo'],
  ],
  'an old slug is given to nobody else, and taken back': [
    ['a', 'foo', 'foo'],
    ['a', 'bar', 'bar'],
    ['b', 'foo', 'foo', 1],
    ['c', 'bar!', 'bar', 1],
    ['b', 'baz', 'baz'],
    ['a', 'foo', 'foo'],
    ['b', 'foo?', 'foo', 1],
  ],
  'an own old slug with another base is skipped, too': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['b', 'bar', 'bar'],
    ['b', 'foo 1', 'foo-1', 1],
  ],
  'a deletion frees all slugs': [
    ['a', 'foo', 'foo'],
    ['a', 'bar', 'bar'],
    ['a'],
    ['b', 'foo', 'foo'],
    ['c', 'bar', 'bar'],
  ],
};

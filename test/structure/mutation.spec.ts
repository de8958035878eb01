import { globSync } from 'node:fs';
import { join } from 'node:path';
import { scopeNames, scopeOf } from '../../scripts/lib/mutation-scopes.mjs';

const cwd = join(__dirname, '../..');

it.each(scopeNames)('the mutation scope %s has sources and tests that exist', (name) => {
  const { mutate, tests } = scopeOf(name);
  const wanted = [...mutate, ...tests].map((pattern) => pattern.replace(/^!/, ''));
  expect(wanted.filter((pattern) => globSync(pattern, { cwd }).length === 0)).toEqual([]);
});

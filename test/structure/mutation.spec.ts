import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { scopeNames, scopeOf } from '../../scripts/lib/mutation-scopes.mjs';

const cwd = join(__dirname, '../..');

it('stryker.config.mjs can be imported by itself, as editors and other tools do', () => {
  const program = "import('./stryker.config.mjs').then((config) => console.log(config.default.mutate.length > 1))";
  const env = { ...process.env, MUTATION_SCOPE: undefined };
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd, env, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['true\n', '']);
});

it.each(scopeNames)('the mutation scope %s has sources and tests that exist', (name) => {
  const { mutate, tests } = scopeOf(name);
  const wanted = [...mutate, ...tests].map((pattern) => pattern.replace(/^!/, ''));
  expect(wanted.filter((pattern) => globSync(pattern, { cwd }).length === 0)).toEqual([]);
});

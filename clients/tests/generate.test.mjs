/** Lints openapi.json and generates clients from it. Its name comes first, because the other tests use these clients. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { env } from 'node:process';
import { test } from 'node:test';
import { npm } from '../../scripts/lib/node.mjs';
import { ROOT, TYPESCRIPT_CLIENT } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/processes.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const PYTHON_CLIENT = join(ROOT, 'clients', 'python');
/** The npm scripts of these folders. */
const inTests = (script) => silent(npm(['run', script], { cwd: import.meta.dirname }));
const inClient = (script) => silent(npm(['run', script], { cwd: TYPESCRIPT_CLIENT }));

test('Redocly finds nothing', () => inTests('lint:redocly'));

test('Spectral finds nothing', () => inTests('lint:spectral'));

test('the types of openapi-typescript are committed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await silent(capture('node', ['generate.mjs', join(folder, 'schema.ts')], { cwd: TYPESCRIPT_CLIENT }));
  const [generated, committed] = [folder, join(TYPESCRIPT_CLIENT, 'src')].map((path) =>
    readFileSync(join(path, 'schema.ts'), 'utf8'),
  );
  assert.ok(generated === committed, 'run `npm run generate` in clients/typescript');
});

test('openapi-python-client generates a client', async () => {
  const bin = dirname(env.PYTHON);
  const client = join(PYTHON_CLIENT, 'dist', 'roster_client');
  mkdirSync(dirname(client), { recursive: true });
  const config = join(PYTHON_CLIENT, 'openapi-python-client.yaml');
  const options = ['--config', config, '--meta', 'none', '--output-path', client, '--overwrite', '--fail-on-warning'];
  // It runs ruff, which is installed next to it.
  const path = { PATH: `${bin}${delimiter}${env.PATH}` };
  const generator = join(bin, 'openapi-python-client');
  await silent(capture(generator, ['generate', '--path', DOCUMENT, ...options], { env: path }));
  await capture(env.PYTHON, ['-m', 'compileall', '-q', client]);
});

test('the package has its program, its types and its documents, and nothing else', async () => {
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json'], { cwd: TYPESCRIPT_CLIENT }));
  const names = files.map(({ path }) => path);
  const missing = ['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE'].filter((name) => !names.includes(name));
  assert.deepEqual(missing, []);
  const others = names.filter((name) => !/^(?:dist\/\w+\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name));
  assert.deepEqual(others, []);
});

test('the types of the package, its tests and its examples are right', () => inClient('check'));

test('the types of the tests are right', () => inTests('check'));

/** Waits for a tool, whose output must have no warning. */
async function silent(running) {
  assert.doesNotMatch(await running, /\bwarn(?:ing)?s?\b(?!: 0)/i);
}

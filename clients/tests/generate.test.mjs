/** Lints openapi.json and generates clients from it. Its name comes first, because the other tests use these clients. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { env } from 'node:process';
import { test } from 'node:test';
import { npm } from '../../scripts/lib/node.mjs';
import { PYTHON_CLIENT, ROOT, TYPESCRIPT_CLIENT } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/processes.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const TSC = 'node_modules/typescript/bin/tsc';
const inTests = (...args) => silent('node', args, { cwd: import.meta.dirname });
const inClient = (...args) => silent('node', args, { cwd: TYPESCRIPT_CLIENT });

test('Redocly finds nothing', () =>
  inTests('node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml', 'roster'));

test('Spectral finds nothing', () => {
  const options = ['--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
  return inTests('node_modules/@stoplight/spectral-cli/dist/index.js', 'lint', ...options, DOCUMENT);
});

test('the types of openapi-typescript are committed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await inClient('generate.mjs', join(folder, 'schema.ts'));
  const [generated, committed] = [folder, join(TYPESCRIPT_CLIENT, 'src')].map((path) =>
    readFileSync(join(path, 'schema.ts'), 'utf8'),
  );
  assert.ok(generated === committed, 'run `npm run generate` in clients/typescript');
});

test('@hey-api/openapi-ts generates a client', () => inTests('node_modules/@hey-api/openapi-ts/bin/run.js'));

test('openapi-python-client generates a client', async () => {
  const bin = dirname(env.PYTHON);
  const client = join(PYTHON_CLIENT, 'dist', 'roster_client');
  mkdirSync(dirname(client), { recursive: true });
  const config = join(PYTHON_CLIENT, 'openapi-python-client.yaml');
  const options = ['--config', config, '--meta', 'none', '--output-path', client, '--overwrite', '--fail-on-warning'];
  // It runs ruff, which is installed next to it.
  const path = { PATH: `${bin}${delimiter}${env.PATH}` };
  await silent(join(bin, 'openapi-python-client'), ['generate', '--path', DOCUMENT, ...options], { env: path });
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

test('the types of the package, its tests and its examples are right', () => inClient(TSC, '-p', '.'));

test('the types of the generated client and of the tests are right', () => inTests(TSC, '-p', '.'));

/** Runs a tool whose output must have no warning. */
async function silent(...command) {
  assert.doesNotMatch(await capture(...command), /\bwarn(?:ing)?s?\b(?!: 0)/i);
}

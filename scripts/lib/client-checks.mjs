import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { npm } from './node.mjs';
import { CLIENT_TESTS, PYTHON_CLIENT, ROOT, TYPESCRIPT_CLIENT } from './paths.mjs';
import { capture } from './processes.mjs';
import { pythonTool } from './python-tool.mjs';
import { SetupError } from './steps.mjs';

const DOCUMENT = join(ROOT, 'openapi.json');
const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js';
const SPECTRAL = 'node_modules/@stoplight/spectral-cli/dist/index.js';
const HEY_API = 'node_modules/@hey-api/openapi-ts/bin/run.js';
const TSC = 'node_modules/typescript/bin/tsc';
const TEST = ['--test', '--test-reporter=tap'];

/** In the order in which they have to run. */
export function checks() {
  const inTests = (...args) => capture('node', args, { cwd: CLIENT_TESTS });
  const inClient = (...args) => capture('node', args, { cwd: TYPESCRIPT_CLIENT });
  const spectral = ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', DOCUMENT];
  return [
    { title: 'Redocly', work: () => silent(inTests(REDOCLY, 'lint', '--config', 'redocly.yaml', 'roster')) },
    { title: 'Spectral', work: () => silent(inTests(SPECTRAL, ...spectral)) },
    { title: 'openapi-typescript, and whether its types are committed', work: () => compareTypes(inClient) },
    { title: '@hey-api/openapi-ts', work: () => silent(inTests(HEY_API)) },
    { title: 'openapi-python-client', work: generatePython },
    { title: 'What roster-client publishes', work: checkPackage },
    { title: 'Types of roster-client, its tests and its example', work: () => silent(inClient(TSC, '-p', '.')) },
    { title: 'Types of the generated client and the end-to-end test', work: () => silent(inTests(TSC, '-p', '.')) },
    { title: 'Tests of roster-client', work: () => runTests(inClient(...TEST, 'test/*.test.ts')) },
    { title: 'End-to-end test: a sync with roster-client and one in Python', work: testSync },
  ];
}

/** @throws {SetupError} if the output contains a warning */
async function silent(running) {
  const output = await running;
  if (/\bwarn(?:ing)?s?\b(?!: 0)/i.test(output)) throw new SetupError(output);
}

async function compareTypes(run) {
  await inTemporary(async (folder) => {
    const file = join(folder, 'schema.ts');
    await silent(run('generate.mjs', file));
    if (readFileSync(file, 'utf8') !== readFileSync(join(TYPESCRIPT_CLIENT, 'src', 'schema.ts'), 'utf8'))
      throw new SetupError('src/schema.ts differs from openapi.json: run `npm run generate` in clients/typescript.');
  });
}

async function generatePython() {
  const bin = await pythonClientGenerator();
  const client = join(PYTHON_CLIENT, 'dist', 'roster_client');
  mkdirSync(dirname(client), { recursive: true });
  const config = join(PYTHON_CLIENT, 'openapi-python-client.yaml');
  const options = ['--config', config, '--meta', 'none', '--output-path', client, '--overwrite', '--fail-on-warning'];
  // It runs ruff, which is installed next to it.
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  await silent(capture(join(bin, 'openapi-python-client'), ['generate', '--path', DOCUMENT, ...options], { env }));
  await capture(join(bin, 'python'), ['-m', 'compileall', '-q', client]);
}

/** Has what the generated client needs, too. */
function pythonClientGenerator() {
  const name = 'openapi-python-client';
  return pythonTool(name, `${name} 0.29.1`, [`${name}==0.29.1`], ['--only-binary', ':all:']);
}

async function testSync() {
  const env = { PYTHON: join(await pythonClientGenerator(), 'python') };
  return runTests(capture('node', [...TEST, '*.test.ts'], { cwd: CLIENT_TESTS, env }));
}

async function checkPackage() {
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json'], { cwd: TYPESCRIPT_CLIENT }));
  const names = files.map(({ path }) => path);
  const missing = ['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE'].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new SetupError(`The package has no ${missing.join(', ')}.`);
  const others = names.filter((name) => !/^(?:dist\/\w+\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(name));
  if (others.length > 0) throw new SetupError(`The package has ${others.join(', ')} too.`);
}

/** Runs them with Node.js's own test runner. An error has the counts too. */
async function runTests(running) {
  try {
    return countsIn(await running);
  } catch (error) {
    const { passed, failed } = countsIn(error.message);
    throw Object.assign(error, { counts: { passed, failed: Math.max(1, failed) } });
  }
}

function countsIn(output) {
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}

async function inTemporary(work) {
  const folder = mkdtempSync(join(tmpdir(), 'roster-client-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { firstLineOf } from '../../scripts/lib/client-package.mjs';
import { testFolder } from '../support/run-folder';

const ROOT = join(__dirname, '../..');
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: object };
/** Each name that the bootstrap looks for Python by. */
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** Stands for the service: tells which of its variables it was started with. */
const PROGRAM = 'console.log("runs", process.env.NODE_ENV, process.env.MONGODB_URI)';
const RUNS_BARE = 'runs undefined undefined';
const MONGODB_URI = 'mongodb://database.example/roster';
const NO_DATABASE = 'The embedded database could not be installed';
/** What `npm run check` runs before it builds. */
const TOOLS = ['prettier', 'eslint', 'tsc'];

/** Makes PROGRAM of everything, but for what compares the documents. */
const BUILD = `
  const fs = require('node:fs');
  fs.rmSync('dist', { recursive: true, force: true });
  fs.mkdirSync('dist/commands', { recursive: true });
  for (const path of ['main.js', 'commands/main.js']) fs.writeFileSync('dist/' + path, ${JSON.stringify(PROGRAM)});
  if (fs.existsSync('documents.js')) fs.copyFileSync('documents.js', 'dist/commands/write-documents.js');
`;

/** A checkout in a folder of its own: the true scripts, no packages, and a build that compiles nothing. */
class Checkout {
  private readonly root = testFolder();

  constructor(envFile: string) {
    const helpers = ['program', 'http-client', 'own-service'].map((name) => `test/support/${name}.mjs`);
    for (const name of ['scripts', 'tools', ...helpers])
      cpSync(join(ROOT, name), join(this.root, name), { recursive: true });
    this.write('.env', envFile);
    this.write('package.json', JSON.stringify({ engines, scripts: { build: 'node build.cjs' } }));
    this.write('build.cjs', BUILD);
    for (const name of PYTHONS) this.write(`bin/${name}`, '#!/bin/sh\nexit 1\n', 0o755);
  }

  write(path: string, text: string, mode?: number): this {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
    return this;
  }

  /** With a cache elsewhere. */
  withCache(folder: string): this {
    symlinkSync(folder, join(this.root, '.cache'));
    return this;
  }

  /** With what `npm run check` runs, which finds nothing wrong; the build's last half is this program. */
  withTools(documents: string): this {
    for (const tool of TOOLS) this.withTool(tool, '');
    this.withTool('nest', 'require("../../build.cjs")');
    return this.write('documents.js', documents);
  }

  /** With a program of a package. */
  withTool(name: string, code: string): this {
    return this.write(`node_modules/.bin/${name}`, `#!/usr/bin/env node\n${code}`, 0o755);
  }

  /** The state after `npm ci`. */
  withPackages(): this {
    const none = JSON.stringify({ packages: {} });
    return this.write('package-lock.json', none).write('node_modules/.package-lock.json', none);
  }

  /** Runs a script of it in this environment alone. @returns its exit code, and all that it wrote */
  run(script: string, env: Record<string, string> = {}, ...args: string[]): Promise<{ code: unknown; output: string }> {
    const path = `${join(this.root, 'bin')}${delimiter}${process.env.PATH}`;
    const options = { cwd: this.root, timeout: 250_000, env: { PATH: path, HOME: this.root, ...env } };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(this.root, 'scripts', script), ...args], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  }
}

describe.each(['start.mjs', 'command.mjs'])('%s, where there is a file .env', (script) => {
  it('runs on the database of the file: it installs none, and hands none of the file on', async () => {
    const { code, output } = await new Checkout(`MONGODB_URI=${MONGODB_URI}\n`).withPackages().run(script);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(RUNS_BARE) });
    expect(output).toContain('Building the service');
    expect(output).not.toContain('embedded database');
  });

  it('only checks in production by the file: it neither installs nor builds', async () => {
    const checkout = new Checkout('NODE_ENV="production"\n');
    const refused = await checkout.run(script);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining('It is not built') });
    checkout.write('dist/main.js', PROGRAM).write('dist/commands/main.js', PROGRAM);
    expect(await checkout.run(script)).toEqual({ code: 0, output: `${RUNS_BARE}\n` });
  });
});

it.each([
  ['a variable of the environment wins', 'NODE_ENV=production', { NODE_ENV: 'development', MONGODB_URI }, 'Building'],
  ['an empty one of the file is none', 'MONGODB_URI=\nNODE_ENV=', {}, NO_DATABASE],
  [
    'an empty one of the environment hides that of the file',
    `MONGODB_URI=${MONGODB_URI}`,
    { MONGODB_URI: '' },
    NO_DATABASE,
  ],
  ['tests do without the file', `MONGODB_URI=${MONGODB_URI}`, { NODE_ENV: 'test' }, NO_DATABASE],
])('npm start takes MONGODB_URI and NODE_ENV as the service does: %s', async (_rule, envFile, env, shown) => {
  const { output } = await new Checkout(`${envFile}\n`).withPackages().run('start.mjs', env);
  expect(output).toContain(shown);
});

it('npm start installs missing parts side by side: if one step fails, it says why immediately, and ends the others', async () => {
  const checkout = new Checkout('').write('bin/npm', '#!/bin/sh\nexec sleep 600\n', 0o755);
  const { code, output } = await checkout.run('start.mjs');
  expect(code).toBe(1);
  expect(output).toMatch(/✖ Installing the embedded database[^]*npm start\n$/);
  expect(output).not.toMatch(/Building|✔/);
});

it.each([
  ['a full disk', 'npm error code ENOSPC', 'The disk is full.'],
  [
    'a proxy',
    'npm error code ECONNREFUSED',
    'The package registry cannot be reached. Behind a proxy, set HTTPS_PROXY.',
  ],
  ['an unknown error', 'npm error code E500', 'Usual causes are [^\\n]+'],
])('npm start gives one piece of advice after %s', async (_cause, error, advice) => {
  const checkout = new Checkout('').write('package-lock.json', '{ "packages": { "x": {} } }');
  checkout.write('bin/npm', `#!/bin/sh\necho '${error}'\nexit 1\n`, 0o755);
  const { output } = await checkout.run('start.mjs', { MONGODB_URI });
  expect(output).toMatch(new RegExp(`exit code 1\\n\\n${advice}\\n$`));
});

it('npm start in a checkout that cannot be written says so in a sentence', async () => {
  const { output } = await new Checkout('').withCache('/sys').run('start.mjs');
  expect(output).toMatch(/^\n\S+\.cache\/setup\.lock\S+ cannot be written \(\w+\)\.\n$/);
});

describe.each(['test.mjs', 'fuzz.mjs'])('%s, where MONGODB_URI is set', (script) => {
  it('still installs the embedded database, which tests start in addition to that one', async () => {
    const { code, output } = await new Checkout('').withPackages().run(script, { MONGODB_URI });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Installing the embedded database') });
  });
});

describe('npm run check', () => {
  const env = { MONGODB_URI };

  it('leaves a build that npm start takes, and does not build again', async () => {
    const checkout = new Checkout('').withPackages().withTools('');
    expect(await checkout.run('check.mjs')).toEqual({ code: 0, output: expect.stringContaining('✔ Build') });
    expect(await checkout.run('start.mjs', env)).toEqual({ code: 0, output: `runs undefined ${MONGODB_URI}\n` });
    checkout.withTool('nest', 'process.exit(1)');
    expect(await checkout.run('check.mjs')).toMatchObject({ code: 0 });
  });

  it('fails where a document is not what the code says, and leaves npm start to build', async () => {
    const checkout = new Checkout('').withPackages().withTools('process.exit(process.argv[2] === "--check" ? 1 : 0)');
    expect(await checkout.run('check.mjs')).toEqual({ code: 1, output: expect.stringContaining('✖ Build') });
    expect((await checkout.run('start.mjs', env)).output).toContain('Building the service');
  });

  it('fails where the types of the TypeScript client are older than openapi.json', async () => {
    const types = 'clients/typescript/src/schema.ts';
    const checkout = new Checkout('').withPackages().withTools('').write('openapi.json', '{}');
    checkout.write(types, firstLineOf('{}'));
    expect(await checkout.run('check.mjs')).toMatchObject({ code: 0 });
    checkout.write(types, firstLineOf('{ }'));
    expect(await checkout.run('check.mjs')).toEqual({ code: 1, output: expect.stringContaining(`${types} is older`) });
  });
});

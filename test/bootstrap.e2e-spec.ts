import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { testFolder } from './support/run-folder';

const ROOT = join(__dirname, '..');
const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: object };
/** Each name that the bootstrap looks for Python by. */
const PYTHONS = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];
/** Stands for the service: tells which of its variables it was started with. */
const PROGRAM = 'console.log("runs", process.env.NODE_ENV, process.env.MONGODB_URI)';
const RUNS_BARE = 'runs undefined undefined';
const MONGODB_URI = 'mongodb://database.example/roster';
const NO_DATABASE = 'The embedded database could not be installed';

/** A checkout in a folder of its own: the true scripts, no packages, and a build that only writes PROGRAM. */
class Checkout {
  private readonly root = testFolder();

  constructor(envFile: string) {
    cpSync(join(ROOT, 'scripts'), join(this.root, 'scripts'), { recursive: true });
    this.write('.env', envFile);
    this.write('package.json', JSON.stringify({ engines, scripts: { build: 'node build.cjs' } }));
    this.write('build.cjs', `(${writePrograms.toString()})(${JSON.stringify(PROGRAM)})`);
    for (const name of PYTHONS) this.write(`bin/${name}`, '#!/bin/sh\nexit 1\n', 0o755);
  }

  write(path: string, text: string, mode?: number): this {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
    return this;
  }

  /** As it is once `npm ci` has run. */
  withPackages(): this {
    const none = JSON.stringify({ packages: {} });
    return this.write('package-lock.json', none).write('node_modules/.package-lock.json', none);
  }

  /** Runs a script of it in this environment alone. @returns its exit code, and all that it wrote */
  run(script: string, env: Record<string, string> = {}): Promise<{ code: unknown; output: string }> {
    const path = `${join(this.root, 'bin')}${delimiter}${process.env.PATH}`;
    const options = { cwd: this.root, timeout: 25_000, env: { PATH: path, HOME: this.root, ...env } };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(this.root, 'scripts', script)], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  }
}

/** The build of such a checkout; runs there. */
function writePrograms(program: string): void {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const fs = require('node:fs') as typeof import('node:fs');
  fs.mkdirSync('dist/seed', { recursive: true });
  for (const path of ['dist/main.js', 'dist/seed/main.js']) fs.writeFileSync(path, program);
}

describe.each(['start.mjs', 'seed.mjs'])('%s, where there is a file .env', (script) => {
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
    checkout.write('dist/main.js', PROGRAM).write('dist/seed/main.js', PROGRAM);
    expect(await checkout.run(script)).toEqual({ code: 0, output: `${RUNS_BARE}\n` });
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
  ])('takes both as the service does: %s', async (_rule, envFile, env, shown) => {
    const { output } = await new Checkout(`${envFile}\n`).withPackages().run(script, env);
    expect(output).toContain(shown);
  });
});

import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Command } from 'commander';
import { load } from 'js-yaml';
import { createProgram } from '../../src/commands/program';
import { readSettings } from '../support/settings';
import { commands } from './command-lines';
import { files, read, ROOT } from './pages';

/** Programs of others. What their arguments mean is theirs. */
const FOREIGN = [
  ...['cd', 'cp', 'curl', 'git', 'gpg', 'jq', 'kill', 'mkdir', 'openssl', 'rm', 'sort', 'sudo', 'sudoedit', 'ulimit'],
  ...['uniq', 'docker', 'journalctl', 'kubectl', 'systemctl', 'mongod', 'mongodump', 'mongorestore', 'mongosh'],
];
/** Commands of npm itself. */
const NPM = ['ci', 'explain', 'prune'];
/** Words that stand for others, and files of the reader. */
const PLACEHOLDER = /^(<.+>|[A-Z]+|'?…'?|[\w-]+\.\w+)$/;
/** A path of the repository. */
const OURS = /^(?:src|test|scripts|tools|bench|docs|clients|examples)\/[\w./-]*\.\w+$/;
const ASSIGNMENT = /^([A-Z_]+)=\S*$/;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const code = files.filter((path) => /\.(ts|mjs|js)$/.test(path)).map((path) => ({ path, text: read(path) }));

/** The words of a command line, quoted ones whole. */
function wordsOf(line: string): string[] {
  return line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}

/** @throws Error that says what is wrong with the command */
function check(words: readonly string[]): void {
  const [program = '', ...args] = words;
  const missing = words.find((word) => OURS.test(word) && !existsSync(join(ROOT, word)));
  if (missing) throw new Error(`there is no ${missing}`);
  const [, variable] = ASSIGNMENT.exec(program.replace(/=.*/s, '=')) ?? [];
  if (variable) {
    if (!isVariable(variable)) throw new Error(`nothing reads ${variable}`);
    return check(args);
  }
  if (program === 'export') return undefined;
  if (program === 'npm') return checkNpm(args);
  if (program === 'node') return checkNode(args);
  if (program === 'docker' && args[0] === 'compose' && args[1] === 'exec') return checkService(args.slice(2));
  if (!FOREIGN.includes(program) && !existsSync(join(ROOT, program))) throw new Error(`there is no ${program}`);
}

function checkNpm(words: readonly string[]): void {
  const [command = '', ...args] = words.filter((word) => word !== '--silent');
  if (NPM.includes(command)) return;
  const [name = '', ...rest] = command === 'run' ? args : [command, ...args];
  const script = scripts[name];
  if (script === undefined) throw new Error(`package.json has no script "${name}"`);
  if (rest.length === 0) return;
  if (rest[0] !== '--') throw new Error('npm takes what comes before "--" for itself');
  if (name === 'test') return checkTests(rest.slice(1));
  const [, file = '', ...fixed] = script.split(' ');
  if (file === 'scripts/command.mjs') return checkCommand([...fixed, ...rest.slice(1)]);
  checkArguments(rest.slice(1), sourcesOf(file));
}

function checkTests(paths: readonly string[]): void {
  for (const path of paths) {
    const isTest = files.some((file) => file.startsWith(path) && /spec\.ts$/.test(file));
    if (!isTest && !PLACEHOLDER.test(path) && !isCreated(path)) throw new Error(`${path} is no test`);
  }
}

/** The walkthrough creates some tests. */
function isCreated(path: string): boolean {
  return read('docs/extending.md').includes(`**Create \`${path}`);
}

function checkNode(args: readonly string[]): void {
  const first = args.findIndex((word, index) => !word.startsWith('--') && args[index - 1] !== '--import');
  const [file = '', ...rest] = args.slice(first);
  const source = file.replace(/^(\.\.\/)+/, '').replace(/^dist\/(.*)\.js$/, 'src/$1.ts');
  if (!existsSync(join(ROOT, source))) throw new Error(`there is no ${source}`);
  if (source === 'src/commands/main.ts') return checkCommand(rest);
  checkArguments(rest, sourcesOf(source));
}

/** Lets the program itself read the arguments; a number may be a letter. */
function checkCommand(words: readonly string[]): void {
  let command = createProgram(new Command().exitOverride());
  let args = words.map((word) => word.replace(/^N$/, '1'));
  for (let next; (next = command.commands.find((one) => one.name() === args[0])); args = args.slice(1)) command = next;
  const { operands, unknown } = command.parseOptions(args);
  const extra = [...operands.slice(command.registeredArguments.length), ...unknown];
  const wrong = extra.find((word) => word !== '<command>');
  if (wrong) throw new Error(`${command.name()} has no argument ${wrong}`);
}

function checkService([service = '', ...command]: readonly string[]): void {
  const { services } = load(read('docker-compose.yml')) as { services: object };
  if (!(service in services)) throw new Error(`docker-compose.yml has no service "${service}"`);
  check(command);
}

/** Each option, and each first word, must be in the program that reads it. An option may have a value. */
function checkArguments(args: readonly string[], sources: string): void {
  const names = args.filter((word, index) => word.startsWith('--') || (index === 0 && !PLACEHOLDER.test(word)));
  for (const name of names) {
    if (!new RegExp(`\\b${name.replace(/^--/, '')}\\b`).test(sources)) throw new Error(`it has no argument ${name}`);
  }
}

/** The code of a program and of what it imports from its folder and below, in one text. */
function sourcesOf(entry: string, seen = new Set<string>()): string {
  if (seen.has(entry) || !existsSync(join(ROOT, entry))) return '';
  seen.add(entry);
  const text = read(entry);
  const imported = [...text.matchAll(/(?:from|import\() ?'(\..+?)'/g)].map(([, path = '']) =>
    normalize(join(dirname(entry), path)).replace(/^((?!.*\.[mc]?js$).*)$/, '$1.ts'),
  );
  const near = imported.filter((path) => /options|args|scopes|lib\//.test(path));
  return [text, ...near.map((path) => sourcesOf(path, seen))].join('\n');
}

/** A setting, or what a program or a test reads by itself. */
function isVariable(name: string): boolean {
  const { names } = readSettings({ MONGODB_URI: 'mongodb://127.0.0.1/x' });
  return names.includes(name) || code.some(({ text }) => new RegExp(`\\benv\\.${name}\\b|'${name}'`).test(text));
}

describe('the command lines of the documentation', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(80);
  });

  it('name scripts, arguments, variables and files that exist', () => {
    const problems = commands.flatMap(({ path, line }) => {
      try {
        check(wordsOf(line));
        return [];
      } catch (error) {
        return [`${path}: ${line}: ${(error as Error).message}`];
      }
    });
    expect(problems).toEqual([]);
  });
});

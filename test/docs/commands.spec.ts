import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { createProgram } from '../../src/commands/program';
import { readSettings } from '../support/settings';
import { files, pages, proseOf, read, ROOT } from './pages';

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

/** Code spans that are commands. */
const COMMAND =
  /^(?:[A-Z_]+=\S* )*(?:npm (?:start$|test|run|ci|prune)|(?:npx|node|docker|mongo\w+|openssl) |\.ci\/run)/;
/** Between two commands of a line, and not in quotes. */
const OUTSIDE_QUOTES = / (?:&&|\|) (?=(?:[^']*'[^']*')*[^']*$)/;

/** The command lines of all pages. */
const commands = pages.flatMap(({ path, text }) => commandsOf(text).map((line) => ({ path, line })));

/** The commands of a page: lines of its `bash` blocks (the tour runs its `sh` blocks itself), and code spans. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].flatMap(([, lines = '']) => lines.trim().split('\n'));
  const spans = [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...blocks, ...spans.filter((span) => COMMAND.test(span))];
  return lines.map((line) => line.replace(/ +#.*$/, '')).flatMap((line) => line.split(OUTSIDE_QUOTES));
}

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
  if (program === 'docker' && args[0] === 'compose' && args[1] === 'exec') return check(args.slice(3));
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
  const [, file, ...fixed] = script.split(' ');
  if (file === 'scripts/command.mjs') checkCommand([...fixed, ...rest.slice(1)]);
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
  if (source === 'src/commands/main.ts') checkCommand(rest);
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

/** A setting, or what a program or a test reads by itself. */
function isVariable(name: string): boolean {
  const { names } = readSettings({ MONGODB_URI: 'mongodb://127.0.0.1/x' });
  return names.includes(name) || code.some(({ text }) => new RegExp(`\\benv\\.${name}\\b|'${name}'`).test(text));
}

describe('the command lines of the documentation', () => {
  it('are found', () => {
    expect(commands.length).toBeGreaterThan(80);
  });

  it('name scripts, variables and files that exist, and arguments that the commands on the database take', () => {
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

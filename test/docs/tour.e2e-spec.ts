import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFrom } from '../src/load-settings';
import { Settings } from '../src/config/settings';
import { ADMIN, Service, startService } from './support/service';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');

/** A step of the tour: the lines to run, and what they show. */
interface Step {
  title: string;
  lines: string;
  shown: string;
}

/** Each `sh` block with the `text` block under it. */
function stepsOf(section: string): Step[] {
  const pattern = /^(?!```)([^\n]+)\n\n```sh\n(.*?)```\n\n```text\n(.*?)```/gms;
  return [...section.matchAll(pattern)].map(([, title = '', lines = '', shown = '']) => ({ title, lines, shown }));
}

function sectionOf(title: string): string {
  return README.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? '';
}

/** Runs the steps in one bash, as a person would. @returns what each showed */
async function run(steps: readonly Step[], env: Record<string, string>): Promise<string[]> {
  const mark = '=== end of step ===';
  const script = steps.map(({ lines }) => `${lines}\nprintf '\\n%s\\n' '${mark}'`).join('\n');
  const shell = spawn('bash', ['-c', script], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(shell, 'close');
  return output.split(mark).map((shown) => shown.trim());
}

/** `…` in what is shown stands for anything within a line. */
function asPattern(shown: string): RegExp {
  const escaped = shown.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.+?')}$`);
}

describe('the tour of the README', () => {
  const steps = stepsOf(sectionOf('A five-minute tour'));
  let service: Service;
  let shown: string[];

  beforeAll(async () => {
    service = await startService();
    shown = await run(steps, { ROSTER: await service.url(), PASSWORD: ADMIN.password });
  }, 60_000);
  afterAll(() => service.stop());

  it('holds every block of lines that it has, each with what it shows', () => {
    expect(steps).toHaveLength(README.match(/^```sh$/gm)?.length ?? 0);
    expect(steps.length).toBeGreaterThan(8);
  });

  it.each(steps.map((step, index) => [step.title, index] as const))('shows what it says: %s', (_title, index) =>
    expect(shown[index]).toMatch(asPattern(steps[index]?.shown ?? '')),
  );

  it('leaves what it made in the registry', async () => {
    const { body } = await service.admin.get('/organizations?slug=o-reilly-sons');
    expect(body.data).toMatchObject([{ slug: 'o-reilly-daughters', description: '' }]);
    expect(body.data[0].managerIds).toHaveLength(2);
  });
});

/** The rows of the table of settings: variable, default, values. */
function settingsRows(): Map<string, { standard: string; values: string }> {
  const rows = [...sectionOf('Settings').matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| (.*?) *\|/gm)];
  return new Map(rows.map(([, name = '', standard = '', values = '']) => [name, { standard, values }]));
}

/** The one setting without which there are no settings. */
const database: NodeJS.ProcessEnv = { MONGODB_URI: 'mongodb://127.0.0.1/x' };

/** The names of the variables that the code asks an environment for. */
function variablesRead(): string[] {
  const names = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(database, {
    get: (set, name) => (names.add(String(name)), set[String(name)]),
  });
  settingsFrom(env);
  return [...names];
}

function property(name: string): keyof Settings {
  if (name === 'NODE_ENV') return 'environment';
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof Settings;
}

describe('the settings of the README', () => {
  const rows = settingsRows();
  const numbers = [...rows].flatMap(([name, { values }]) => {
    const [, min, max] = /^(\d+)–(\d+)$/.exec(values) ?? [];
    return min === undefined || max === undefined ? [] : [[name, Number(min), Number(max)] as const];
  });
  const words = [...rows].filter(([, { values }]) => /^`[a-z]+`(, `[a-z]+`)+$/.test(values));

  it('are those that the code reads', () => {
    expect([...rows.keys()].sort()).toEqual(variablesRead().sort());
  });

  it('have the defaults of the code', () => {
    const defaults = settingsFrom(database);
    const shown = [...rows].flatMap(([name, { standard }]) => {
      const [, value] = /^`([a-z0-9.]+)`(;|$)/.exec(standard) ?? [];
      return value === undefined || name === 'DATA_DIR' ? [] : [[name, value] as const];
    });
    const spelled = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
    const actual = shown.map(([name]) => [name, spelled(defaults[property(name)])]);
    expect(actual).toEqual(shown.map(([name, value]) => [name, value === 'false' ? 'off' : value]));
    expect(shown.length).toBeGreaterThan(14);
  });

  it.each(numbers)('have the bounds of the code: %s is from %d to %d', (name, min, max) => {
    for (const value of [min, max])
      expect(settingsFrom({ ...database, [name]: `${value}` })[property(name)]).toBe(value);
    for (const value of [min - 1, max + 1])
      expect(() => settingsFrom({ ...database, [name]: `${value}` })).toThrow(name);
  });

  it.each(words)('have the words of the code: %s', (name, { values }) => {
    const required = { ...database, JWT_SECRET: 's'.repeat(32) };
    for (const value of values.replaceAll('`', '').split(', ')) settingsFrom({ ...required, [name]: value });
    expect(() => settingsFrom({ ...database, [name]: 'none-of-these' })).toThrow(values.replaceAll('`', ''));
  });
});

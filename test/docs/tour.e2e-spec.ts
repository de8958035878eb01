import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pages } from './pages';
import { ADMIN, useService } from '../support/service';

/** The tour begins in the first; the second continues it for operators, the third for everybody. */
const PAGES = ['README.md', 'docs/operating.md', 'docs/tour.md'];

/** A step of the tour: the lines to run, and what they show. */
interface Step {
  title: string;
  lines: string;
  shown: string;
}

const texts = PAGES.map((path) => readFileSync(join(__dirname, '../..', path), 'utf8'));
const [begin = [], ...rest] = texts.map(stepsOf);
const whole = [...begin, ...rest.flat()];

/** Each `sh` block with the `text` block under it. */
function stepsOf(markdown: string): Step[] {
  const pattern = /^(?!```)([^\n]+)\n\n```sh\n(.*?)```\n\n```text\n(.*?)```/gms;
  return [...markdown.matchAll(pattern)].map(([, title = '', lines = '', shown = '']) => ({ title, lines, shown }));
}

/** Runs the steps in one shell, as a person would. @returns what each showed */
async function run(shell: string, steps: readonly Step[], env: Record<string, string>): Promise<string[]> {
  const mark = '=== end of step ===';
  const script = steps.map(({ lines }) => `${lines}\nprintf '\\n%s\\n' '${mark}'`).join('\n');
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(shell, ['-c', `exec 2>&1\n${script}`], options);
  return stdout.split(mark).map((shown) => shown.trim());
}

/** `…` in what is shown stands for anything within a line. */
function asPattern(shown: string): RegExp {
  const escaped = shown.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.+?')}$`);
}

/** The names of the tour are unique for each second in which it begins. */
function nextSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000 - (Date.now() % 1000)));
}

it('holds every block of lines that its pages have, each with what it shows', () => {
  expect(whole).toHaveLength(texts.join('\n').match(/^```sh$/gm)?.length ?? 0);
  expect(whole.length).toBeGreaterThan(12);
});

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0;
const shells = ['bash', 'zsh'].filter(isThere);
if (!isThere('zsh')) it.skip('zsh is not installed, so the tour was run in bash only', () => undefined);

describe.each(shells)('the tour in %s', (shell) => {
  const service = useService();
  let shown: string[][];

  beforeAll(async () => {
    const env = { ROSTER: await service.url(), PASSWORD: ADMIN.password };
    const abandoned = await run(shell, begin, env);
    await nextSecond();
    shown = [abandoned, await run(shell, whole, env)];
  });

  const cases = [begin, whole].flatMap((steps, time) => steps.map((step, index) => ({ time, index, ...step })));
  it.each(cases)('shows what it says, time $time: $title', ({ time, index, shown: expected }) =>
    expect(shown[time]?.[index]).toMatch(asPattern(expected)),
  );

  it('deletes at its end what it made', async () => {
    const [organizations, users] = [await service.admin.get('/organizations'), await service.admin.get('/users')];
    expect(organizations.body.data).toHaveLength(1); // by the tour that was abandoned
    expect(users.body.data).toMatchObject([{ username: ADMIN.username }]);
  });

  it.each([
    ['a wrong password', {}, 'There is no .data.accessToken in: {"status":"fail","message":"The username, '],
    [
      'a service that is down',
      { ROSTER: 'http://127.0.0.1:9' },
      'There is no .data.accessToken in: no response. Is the service',
    ],
  ])('says what it got from %s', async (_case, env, expected) => {
    const [output = ''] = await run(shell, begin.slice(0, 1), {
      ROSTER: await service.url(),
      PASSWORD: 'wrong',
      ...env,
    });
    expect(output).toContain(expected);
    expect(output.split('\n').length).toBeLessThan(4);
  });
});

it('no block that people paste has a comment, which is an argument in an interactive zsh', () => {
  const blocks = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^```(?:sh|bash)\n(.*?)^```/gms)].flatMap(([, lines = '']) =>
      lines.split('\n').map((line) => ({ path, line })),
    ),
  );
  expect(blocks.length).toBeGreaterThan(100);
  expect(blocks.filter(({ line }) => /(^|\s)#/.test(line))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWalkthrough } from '../../scripts/lib/walkthrough.mjs';

const ROOT = join(__dirname, '../..');
const guide = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8');

/** The rows of the table that follows a PUT: file and functions. */
const steps = [...guide.matchAll(/^\| \d+ +\| `(src\/[^`]+)` +\| (`[^|]+`) +\|/gm)].flatMap(([, file, names]) =>
  names!.split(', ').map((name) => [file!, name.replaceAll('`', '')] as const),
);

test.each(steps)('docs/extending.md names a function that exists: %s %s', (file, name) => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  expect(source).toMatch(new RegExp(`^ *(?:(?:private|override|async|export|function) )*${name}(?:<[^>]*>)?\\(`, 'm'));
});

test('docs/extending.md follows a PUT from the route to the database', () => {
  expect(steps.length).toBeGreaterThanOrEqual(14);
});

test('docs/extending.md lists every @OnDelete', () => {
  const deletions = guide.slice(guide.indexOf('### What a deletion takes along'), guide.indexOf('### The controller'));
  for (const resource of ['organizations', 'files', 'users', 'apis']) {
    const source = readFileSync(join(ROOT, `src/${resource}/${resource}.service.ts`), 'utf8');
    const service = /export class (\w+)/.exec(source)![1]!;
    for (const [, method] of source.matchAll(/@OnDelete\(\w+\)\n +async (\w+)\(/g))
      expect(deletions).toContain(`\`${service}.${method}\``);
  }
});

test('A resource takes at most 250 lines of source in new files, 30 changed lines, and eight test files', () => {
  const { blocks } = readWalkthrough(guide.slice(guide.indexOf('## A resource')));
  const [tests, rest] = [true, false].map((inTest) =>
    blocks.filter(({ path = '' }) => path.startsWith('test/') === inTest),
  );
  const lines = (kind: string, line: RegExp): number =>
    rest!.filter((block) => block.kind === kind).flatMap(({ code = '' }) => code.match(line) ?? []).length;
  expect(lines('Create', /^.*\n/gm)).toBeLessThanOrEqual(250);
  expect(lines('Change', /^[-+].*\n/gm)).toBeLessThanOrEqual(30);
  expect(tests!.length).toBeLessThanOrEqual(8);
});

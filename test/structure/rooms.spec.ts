import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(__dirname, '../../src');

/** The rooms of the platform. ESLint checks that they import one way. */
const ROOMS = ['base', 'records', 'http', 'operations'].map((name) => `platform/${name}`);

const MAX_LINES = 60;
const MAX_WORDS = 12;

interface Import {
  /** Paths below src, without an extension. */
  readonly from: string;
  readonly to: string;
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.spec)\.ts$/.test(path));

/** Every import of one file of src by another one, types and augmentations included. */
const imports: Import[] = sources.flatMap((path) => {
  const found = readFileSync(join(SRC, path), 'utf8').matchAll(/(?:from|import|import\(|module) ?'(\.[^']+)'/g);
  return [...found].map(([, to = '']) => ({
    from: path.replace(/\.ts$/, ''),
    to: relative(SRC, join(SRC, dirname(path), to)),
  }));
});

describe.each(ROOMS)('src/%s/README.md', (room) => {
  const text = readFileSync(join(SRC, room, 'README.md'), 'utf8');
  const sectionOf = (title: string): string => text.split(/^## /m).find((one) => one.startsWith(title)) ?? '';

  it(`has at most ${MAX_LINES} lines, and at most ${MAX_WORDS} words to know`, () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    const words = sectionOf('Words').match(/^- /gm) ?? [];
    expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
    expect(words.length).toBeGreaterThan(0);
  });

  it('names the files that others import, and no others', () => {
    const isOutside = ({ from, to }: Import): boolean => to.startsWith(`${room}/`) && !from.startsWith(`${room}/`);
    const wanted = [...new Set(imports.filter(isOutside).map(({ to }) => to.slice(room.length + 1)))].sort();
    const named = [...sectionOf('What others import').matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path);
    // A folder stands for all of its files.
    const isNamed = (path: string): boolean =>
      named.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
    expect(wanted.filter((path) => !isNamed(path))).toEqual([]);
    expect(named.filter((one) => !wanted.some((path) => path.startsWith(one)))).toEqual([]);
  });

  it('says in which file to start reading', () => {
    const [, path = ''] = /`([\w./-]+\.ts)`/.exec(sectionOf('Start reading')) ?? [];
    expect(sources).toContain(`${room}/${path}`);
  });
});

/** The nodes of a graph from which arrows lead back to them. */
function inCircles(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const reachable = (from: string, seen = new Set<string>()): Set<string> => {
    for (const [, to] of next.get(from) ?? []) if (!seen.has(to)) reachable(to, seen.add(to));
    return seen;
  };
  return [...next.keys()].filter((node) => reachable(node).has(node));
}

test('No files of src import each other in a circle, types included', () => {
  expect(inCircles(imports.map(({ from, to }) => [from, to]))).toEqual([]);
});

test('No two folders of src/registry import each other, types included', () => {
  const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
  const edges = imports
    .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
    .filter(([from, to]) => from !== to && [from, to].every((folder) => folder.startsWith('registry/')));
  expect(inCircles(edges)).toEqual([]);
});

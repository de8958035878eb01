import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { files, Page, pages, proseOf, read, ROOT } from './pages';

/** `[text](target)`, also of pictures; a text may have brackets in code. */
const LINK = /\]\(([^()\s]+)\)/g;
/** Matches names of files of the repository, without patterns and names that stand for others. */
const FILE = /^(?:\.\.\/)*(?:src|test|scripts|tools|bench|docs|clients|examples|\.github)\/[\w./-]+$/;
/** Tells the files that it creates. */
const WALKTHROUGH = 'docs/extending.md';

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#+ (.+)$/gm)) {
    const base = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Describes what is wrong with a link; nothing if it leads somewhere. */
function problemOf(page: Page, target: string): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.path : normalize(join(dirname(page.path), path));
  if (!existsSync(join(ROOT, file))) return `${page.path}: there is no ${file}`;
  if (anchor === undefined || anchorsOf(read(file)).has(anchor)) return undefined;
  return `${page.path}: ${file} has no heading for #${anchor}`;
}

/** From the root, or from the page's folder; it may also be the beginning of a path, as jest takes it. */
function isFile(page: Page, path: string): boolean {
  const paths = [path, normalize(join(dirname(page.path), path))];
  return paths.some((one) => existsSync(join(ROOT, one)) || files.some((file) => file.startsWith(one)));
}

it('every link leads to a file, and to a heading in it', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page.text).matchAll(LINK)].map(([, target = '']) => ({ page, target })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.map(({ page, target }) => problemOf(page, target)).filter(Boolean)).toEqual([]);
});

it('every page and picture of docs is linked', () => {
  const linked = pages.flatMap(({ path, text }) =>
    [...text.matchAll(LINK)].map(([, target = '']) => normalize(join(dirname(path), target.split('#')[0] ?? ''))),
  );
  const docs = files.filter((path) => /^docs\/.*\.(md|png)$/.test(path));
  expect(docs.filter((path) => !linked.includes(path))).toEqual([]);
});

it('every file that a page names exists', () => {
  const named = pages
    .filter(({ path }) => path !== WALKTHROUGH)
    .flatMap((page) => [...proseOf(page.text).matchAll(/`([^`\n]+)`/g)].map(([, path = '']) => ({ page, path })))
    .filter(({ path }) => FILE.test(path) && !path.includes('node_modules'));
  expect(named.length).toBeGreaterThan(80);
  expect(
    named.filter(({ page, path }) => !isFile(page, path)).map(({ page, path }) => `${page.path}: ${path}`),
  ).toEqual([]);
});

it('every page that the code names exists', () => {
  const code = files.filter((path) => /\.(ts|mjs|cjs|js|yml)$/.test(path) && !path.startsWith('test/docs/'));
  const named = code.flatMap((path) =>
    [...read(path).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ path, page })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
});

it('every function that docs/extending.md follows a PUT through exists', () => {
  const rows = [...read('docs/extending.md').matchAll(/^\d+\. `(src\/[^`]+)` (`.+?`): /gm)];
  const named = rows.flatMap(([, file = '', names = '']) => names.split(', ').map((name) => [file, name.slice(1, -1)]));
  const isThere = ([file = '', name]: string[]): boolean =>
    new RegExp(`^ *(?:(?:private|override|async|export|function) )*${name}(?:<[^>]*>)?\\(`, 'm').test(read(file));
  expect(named.length).toBeGreaterThanOrEqual(14);
  expect(named.filter((one) => !isThere(one))).toEqual([]);
});

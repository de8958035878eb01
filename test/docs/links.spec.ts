import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { scripts } from '../../package.json';

const ROOT = join(__dirname, '../..');
const exclude = ['**/node_modules', '**/dist'];
const pages = globSync(['*.md', '{docs,src,test,scripts,tools,clients,examples}/**/*.md'], { cwd: ROOT, exclude });
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** The text between code blocks. */
const proseOf = (path: string): string => read(path).replace(/^( *)```.*?^\1```$/gms, '');
/** What a pattern finds in each page. */
const found = (pattern: RegExp, textOf = proseOf): { page: string; text: string }[] =>
  pages.flatMap((page) => [...textOf(page).matchAll(pattern)].map(([, text = '']) => ({ page, text })));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return headings.map((heading, index) => {
    const before = headings.slice(0, index).filter((other) => other === heading).length;
    return before === 0 ? heading : `${heading}-${before}`;
  });
}

it('every link leads to a file, and to a heading in it', () => {
  const isBroken = ({ page, text }: { page: string; text: string }): boolean => {
    const [path = '', anchor] = text.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  };
  const links = found(/\]\(([^()\s]+)\)/g).filter(({ text }) => !/^(https?|mailto):/.test(text));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(isBroken)).toEqual([]);
});

it('every file that a page names exists', () => {
  const named = found(/`((?:\.\.\/)*(?:src|test|scripts|tools|bench|docs|clients|examples)\/[\w./-]+)`/g);
  // From the root, or from the page's folder; it may also be the beginning of a path, as jest takes it.
  const isThere = ({ page, text }: { page: string; text: string }): boolean =>
    [text, normalize(join(dirname(page), text))].some((path) => globSync(`${path}*`, { cwd: ROOT }).length > 0);
  // The walkthrough names files that it creates.
  expect(named.filter((one) => one.page !== 'docs/extending.md' && !isThere(one))).toEqual([]);
});

it('every script of npm that a page names is in package.json', () => {
  const named = found(/\bnpm run (?:--silent )?([a-z]+(?::[a-z]+)*)/g, read);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ text }) => !(text in scripts))).toEqual([]);
});

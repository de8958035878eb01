import { scripts } from '../../package.json';
import { files, pages } from './pages';

/** The scripts and tests that a command of the documentation can name. */
const SCRIPT = /\bnpm run (?:--silent )?([a-z]+(?::[a-z]+)*)/g;
const TESTS = /\bnpm test -- ([^`\n#]+)/g;

it('every script of npm that a page names is in package.json', () => {
  const named = pages.flatMap(({ path, text }) => [...text.matchAll(SCRIPT)].map(([, name = '']) => ({ path, name })));
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});

it('every test that a page runs exists, or is created by the walkthrough', () => {
  const walkthrough = pages.find(({ path }) => path === 'docs/extending.md')!.text;
  const named = pages.flatMap(({ text }) => [...text.matchAll(TESTS)].flatMap(([, paths = '']) => paths.split(' ')));
  const isThere = (path: string): boolean =>
    files.some((file) => file.startsWith(path)) || walkthrough.includes(`**Create \`${path}`);
  expect(named.filter((path) => path.includes('/') && !isThere(path))).toEqual([]);
});

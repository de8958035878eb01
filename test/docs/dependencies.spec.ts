import { dependencies } from '../../package.json';
import { read } from './pages';

it('ADR 18 gives a reason for each dependency of package.json, and for no other', () => {
  const rows = read('docs/adr/0018-dependencies.md').matchAll(/^- \*\*(.+?)\*\*: .+; .+$/gm);
  const named = [...rows].map(([, name = '']) => name);
  expect(named.sort()).toEqual(Object.keys(dependencies).sort());
});

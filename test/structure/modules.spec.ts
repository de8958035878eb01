import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../../src');

test('Every module is part of the application, or of another module', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((name) => name.endsWith('.module.ts') && name !== 'app.module.ts');
  const sources = ['app.module.ts', ...modules].map((name) => readFileSync(join(SRC, name), 'utf8')).join();
  const unused = modules.filter((name) => !sources.includes(`/${name.split('/').at(-1)!.replace(/\.ts$/, '')}'`));
  expect(modules.length).toBeGreaterThan(5);
  expect(unused.map((name) => `src/${name} is in no application: add it to src/app.module.ts.`)).toEqual([]);
});

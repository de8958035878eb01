import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../../src');

test('every module is part of the application', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((name) => name.endsWith('.module.ts') && name !== 'app.module.ts');
  const application = readFileSync(join(SRC, 'app.module.ts'), 'utf8');
  const unused = modules.filter((name) => !application.includes(`'./${name.replace(/\.ts$/, '')}'`));
  expect(modules.length).toBeGreaterThan(5);
  expect(unused.map((name) => `src/${name} is in no application: add it to src/app.module.ts.`)).toEqual([]);
});

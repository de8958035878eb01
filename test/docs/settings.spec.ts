import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFrom } from '../../src/platform/operations/start/load-settings';
import { readSettings } from '../support/settings';

const PAGE = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
const [, LIST = ''] = /^## Settings\n(.*?)^##/ms.exec(PAGE) ?? [];
/** The items of the list: variable and default. */
const rows = [...LIST.matchAll(/^- `([A-Z_]+)` \((?:`([a-z0-9.]+)`)?/gm)];
const database: NodeJS.ProcessEnv = { MONGODB_URI: 'mongodb://127.0.0.1/x' };

it('docs/operating.md has the settings that the code reads, with the numbers that are their defaults', () => {
  expect(rows.map(([, name]) => name).sort()).toEqual(readSettings(database).names.sort());
  const camelCase = (name: string): string =>
    name.toLowerCase().replace(/_([a-z])/g, (_, one: string) => one.toUpperCase());
  const defaults = settingsFrom(database) as unknown as Record<string, unknown>;
  const numbers = rows.filter(([, , value = '']) => /^\d+$/.test(value));
  expect(numbers.map(([, name = '']) => [name, defaults[camelCase(name)]])).toEqual(
    numbers.map(([, name, value]) => [name, Number(value)]),
  );
});

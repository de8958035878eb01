import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Settings } from '../../src/platform/base/settings/settings';
import { settingsFrom } from '../../src/platform/operations/start/load-settings';
import { readSettings } from '../support/settings';

const PAGE = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
/** Up to its first subsection. */
const LIST = PAGE.split(/^##+ /m).find((section) => section.startsWith('Settings\n')) ?? '';

/** The items of the list of settings: variable, default, values. */
function settingsRows(): Map<string, { standard: string; values: string }> {
  const items = [...LIST.matchAll(/^- `([A-Z_]+)` \((.*?)\): (.*?)\. /gm)];
  return new Map(items.map(([, name = '', standard = '', values = '']) => [name, { standard, values }]));
}

/** The one setting without which there are no settings. */
const database: NodeJS.ProcessEnv = { MONGODB_URI: 'mongodb://127.0.0.1/x' };

function property(name: string): keyof Settings {
  if (name === 'NODE_ENV') return 'environment';
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof Settings;
}

describe('the settings of docs/operating.md', () => {
  const rows = settingsRows();
  const numbers = [...rows].flatMap(([name, { values }]) => {
    const [, min, max] = /^(\d+)–(\d+)$/.exec(values) ?? [];
    return min === undefined || max === undefined ? [] : [[name, Number(min), Number(max)] as const];
  });
  const words = [...rows].filter(([, { values }]) => /^`[a-z]+`(, `[a-z]+`)+$/.test(values));

  it('are those that the code reads', () => {
    expect([...rows.keys()].sort()).toEqual(readSettings(database).names.sort());
  });

  it('have the defaults of the code', () => {
    const defaults = settingsFrom(database);
    const shown = [...rows].flatMap(([name, { standard }]) => {
      const [, value] = /^`([a-z0-9.]+)`(;|$)/.exec(standard) ?? [];
      return value === undefined || name === 'DATA_DIR' ? [] : [[name, value] as const];
    });
    const spelled = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
    const actual = shown.map(([name]) => [name, spelled(defaults[property(name)])]);
    expect(actual).toEqual(shown.map(([name, value]) => [name, value === 'false' ? 'off' : value]));
    expect(shown.length).toBeGreaterThan(14);
  });

  it.each(numbers)('have the bounds of the code: %s is from %d to %d', (name, min, max) => {
    for (const value of [min, max])
      expect(settingsFrom({ ...database, [name]: `${value}` })[property(name)]).toBe(value);
    for (const value of [min - 1, max + 1])
      expect(() => settingsFrom({ ...database, [name]: `${value}` })).toThrow(name);
  });

  it.each(words)('have the words of the code: %s', (name, { values }) => {
    const provider = { OIDC_ISSUER: 'https://a.example', OIDC_AUDIENCE: 'roster', OIDC_COMPANY_NAME: 'Engines' };
    const explicit = { USER_DIRECTORY: 'accounts', ORGANIZATION_CREATION: 'admin' };
    const required = { ...database, JWT_SECRET: 's'.repeat(32), ...explicit, ...provider };
    for (const value of values.replaceAll('`', '').split(', ')) settingsFrom({ ...required, [name]: value });
    expect(() => settingsFrom({ ...database, [name]: 'none-of-these' })).toThrow(values.replaceAll('`', ''));
  });
});

it('nothing outside the checkout is kept, as the README says: @swc/core has its binary in .cache', () => {
  const { SWC_NATIVE_BINDING_CACHE: folder = '' } = process.env;
  expect(relative(join(__dirname, '../../.cache'), folder)).toBe('swc');
  expect(existsSync(folder)).toBe(true);
});

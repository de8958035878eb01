import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Json } from '../support/json';

/** Compares the tables of docs/contract.md with openapi.json. */

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

const { components, paths }: Json = JSON.parse(read('openapi.json'));
const contract = read('docs/contract.md');

/** The text under a heading of the third level, by the heading. */
const sections = new Map(
  contract.split(/^### /m).map((text) => [text.slice(0, text.indexOf('\n')), text.split(/^## /m)[0]!] as const),
);

/** The first cells of the rows of a section's tables. */
function firstCells(section: string): string[] {
  const rows = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, cell = '']) => cell);
  return rows.filter((cell) => !cell.startsWith('-'));
}

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The record that a schema is about: `CreateUserInput` → `User`, `UploadedFile` → `File`. A session's tokens are described with it. */
function recordOf(schema: string): string {
  return schema.replace(/^(?:Create|Created|Update|Uploaded|Audit)(?=[A-Z])/, '').replace(/Input$/, '');
}

/** The record that a list has: `#/components/schemas/UserList` → `User`. */
const recordIn = ({ responses }: Json): string =>
  /(\w+)List$/.exec(responses['200'].content['application/json'].schema.$ref)![1]!;

const described = new Set(Object.keys(components.schemas).map(recordOf));
const records = [...sections.keys()].filter((heading) => described.has(heading));

describe('docs/contract.md', () => {
  it.each(records)('§3 has the fields of requests and responses: %s', (record) => {
    const schemas = Object.entries<Json>(components.schemas).filter(([name]) => recordOf(name) === record);
    const fields = new Set(schemas.flatMap(([, { properties = {} }]) => Object.keys(properties)));
    const section = sections.get(record)!;
    const undocumented = [...fields].filter((field) => !codeIn(section).includes(field));
    const unknown = firstCells(section)
      .flatMap(codeIn)
      .filter((field) => !fields.has(field));
    expect({ undocumented, unknown }).toEqual({ undocumented: [], unknown: [] });
  });

  it('§3 has every record', () => {
    const shown = Object.keys(components.schemas).filter((name) => /List$/.test(name));
    expect(records).toEqual(expect.arrayContaining(shown.map((name) => recordOf(name.replace(/List$/, '')))));
  });

  it('§4 has every operation, and no others', () => {
    const cells = [...sections.values()].flatMap(firstCells).flatMap(codeIn);
    const listed = cells.filter((code) => /^(?:GET|POST|PUT|DELETE) \//.test(code));
    const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(listed.sort()).toEqual(operations.sort());
  });

  it('§2 has every list that takes q, with the fields that openapi.json says it searches', () => {
    const rows = [...sections.get('`q`')!.matchAll(/^\| (\w+)s +\| (`.+?`) +\|/gm)];
    const listed = rows.map(([, name = '', fields = '']) => [name.replace('API', 'Api'), ...codeIn(fields)]);
    const searched = Object.values<Json>(paths).flatMap(({ get }) => {
      const [, sentence] = /`q` searches (.+?`)\.( |$)/m.exec(get?.description ?? '') ?? [];
      return sentence ? [[recordIn(get), ...codeIn(sentence)]] : [];
    });
    expect(new Set(listed.map(String))).toEqual(new Set(searched.map(String)));
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchedFields } from '../../src/database/derived-fields';
import { useService } from '../support/service';

/** Compares the tables of docs/contract.md with openapi.json and the schemas. */

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly description: string;
  readonly parameters: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: { $ref?: string } }> }>>;
}
const { components, paths } = JSON.parse(read('openapi.json')) as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};
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

/** The record that a schema is about: `CreateUserInput` → `User`. A session's tokens are described with it. */
function recordOf(schema: string): string {
  return schema.replace(/^(?:Create|Update|New)(?=[A-Z])/, '').replace(/Input$/, '');
}

const records = [...sections.keys()].filter((heading) => heading in components.schemas);

describe('docs/contract.md', () => {
  it.each(records)('§3 has the fields of requests and responses: %s', (record) => {
    const schemas = Object.entries(components.schemas).filter(([name]) => recordOf(name) === record);
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
    expect(records).toEqual(expect.arrayContaining(shown.map((name) => name.replace(/List$/, ''))));
  });

  it('§4 has every operation, and no others', () => {
    const cells = [...sections.values()].flatMap(firstCells).flatMap(codeIn);
    const listed = cells.filter((code) => /^(?:GET|POST|PUT|DELETE) \//.test(code));
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(listed.sort()).toEqual(operations.sort());
  });

  describe('§2 q', () => {
    const rows = [...sections.get('`q`')!.matchAll(/^\| (\w+)s +\| (`.+?`) +\|/gm)];
    const searched = new Map(rows.map(([, name = '', fields = '']) => [name.replace('API', 'Api'), codeIn(fields)]));
    const service = useService();

    const lists = Object.values(paths).flatMap(({ get }) =>
      get?.parameters.some(({ name }) => name === 'q') ? get : [],
    );
    const recordIn = ({ responses }: Operation): string =>
      /(\w+)List$/.exec(responses['200']!.content!['application/json']!.schema.$ref!)![1]!;

    it('has every list that takes q', () => {
      const names = new Set(lists.map(recordIn));
      expect([...searched.keys()].sort()).toEqual([...names].sort());
    });

    it('has the fields that openapi.json names', () => {
      for (const list of lists) {
        const [, sentence = ''] = /`q` searches (.+?`)\.( |$)/m.exec(list.description) ?? [];
        const record = recordIn(list);
        expect([record, codeIn(sentence).sort()]).toEqual([record, searched.get(record)?.toSorted()]);
      }
    });

    it('has the fields that the schemas mark as searched', () => {
      for (const [name, fields] of searched) {
        const model = service.connection.models[name];
        // Managers are searched by fields of their User.
        const own = searchedFields((model ?? service.connection.models.User!).schema);
        if (model) expect([name, fields.toSorted()]).toEqual([name, own.toSorted()]);
        else expect(own).toEqual(expect.arrayContaining(fields));
      }
    });
  });
});

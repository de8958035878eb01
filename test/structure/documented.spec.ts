import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Json } from '../support/json';

/** Compares the lists of docs/contract.md with openapi.json. */

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');

const { components, paths }: Json = JSON.parse(read('openapi.json'));
const contract = read('docs/contract.md');

/** The text under a heading of the third level, by the heading. */
const sections = new Map(
  contract.split(/^### /m).map((text) => [text.slice(0, text.indexOf('\n')), text.split(/^## /m)[0]!] as const),
);

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** What the items of a section's lists are about: `_id` and `etag` in "- `_id`, `etag`: …". */
function itemsOf(section: string): string[] {
  return [...section.matchAll(/^- ((?:`[^`]+`(?:\\\*)?(?:, )?)+)(?::|$)/gm)].flatMap(([, codes = '']) => codeIn(codes));
}

/** The record that a schema is about: `CreateUserInput` → `User`, `UploadedFile` → `File`. A session's tokens are described with it. */
function recordOf(schema: string): string {
  return schema
    .replace(/^(?:Create|Created|Update|Uploaded|Audit)(?=[A-Z])/, '')
    .replace(/^Api(?=Consumer)/, '')
    .replace(/Input$/, '');
}

/** Sentences about what only one side has: what the contract lacks, and what it has in excess. */
function differences(contract: readonly string[], code: readonly string[], where: string): string[] {
  const only = (one: readonly string[], other: readonly string[]): string[] =>
    [...new Set(one)].filter((item) => !other.includes(item));
  return [
    ...only(code, contract).map((item) => `${item} is missing: add it to docs/contract.md ${where}.`),
    ...only(contract, code).map((item) => `${item} is not in openapi.json: remove it from docs/contract.md ${where}.`),
  ];
}

describe('docs/contract.md', () => {
  const described = new Set(Object.keys(components.schemas).map(recordOf));
  const records = [...sections.keys()].filter((heading) => described.has(heading));

  it.each(records)('§3 has the fields of requests and responses: %s', (record) => {
    const schemas = Object.entries<Json>(components.schemas).filter(([name]) => recordOf(name) === record);
    const fields = schemas.flatMap(([, { properties = {} }]) => Object.keys(properties));
    const section = sections.get(record)!;
    const mentioned = codeIn(section).filter((code) => fields.includes(code));
    expect(differences([...itemsOf(section), ...mentioned], fields, `§3 ${record}`)).toEqual([]);
  });

  it('§3 has every record that a list has', () => {
    const names = Object.keys(components.schemas).flatMap((name) => /^(\w+)List$/.exec(name)?.[1] ?? []);
    expect(differences(records, [...records, ...names.map(recordOf)], '§3, as a heading')).toEqual([]);
  });

  it('§4 has every operation, and no others', () => {
    const cells = [...sections.values()].flatMap(itemsOf);
    const listed = cells.filter((code) => /^(?:GET|POST|PUT|DELETE) \//.test(code));
    const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(differences(listed, operations, '§4')).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

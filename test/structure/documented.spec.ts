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

/** What a section says of a field, with what the sections say that it refers to: `see [Contact](#contact)`. */
function itemOf(field: string, section = ''): string | undefined {
  const item = section.split(/\n(?:\n|- )/).find((text) => itemsOf(`- ${text}`).includes(field));
  const anchors = [...(item ?? '').matchAll(/\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
  const referred = [...sections].filter(([heading]) => anchors.includes(heading.toLowerCase().replaceAll(' ', '-')));
  const texts = referred.map(([, text]) => itemOf(field, text) ?? text);
  // The length of these is in a section of their own, which not each of them names.
  const common = /e-mail|URL/.test([item, ...texts].join()) ? sections.get('E-mail addresses and URLs')! : '';
  return item && [item, ...texts, common].join(' ');
}

/** 1000 in `at most 1,000`, 1 and 255 in `1–255 characters`. */
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

/** The record that a schema is about: `CreateUserInput` → `User`, `UploadedFile` → `File`. A session's tokens are described with it. */
function recordOf(schema: string): string {
  return schema
    .replace(/^(?:Create|Created|Update|Uploaded|Audit)(?=[A-Z])/, '')
    .replace(/^Api(?=Consumer)/, '')
    .replace(/Input$/, '');
}

/** The record that a list has: `#/components/schemas/UserList` → `User`. */
const recordIn = ({ responses }: Json): string =>
  /(\w+)List$/.exec(responses['200'].content['application/json'].schema.$ref)![1]!;

const described = new Set(Object.keys(components.schemas).map(recordOf));
const records = [...sections.keys()].filter((heading) => described.has(heading));

/** Sentences about what only one side has: what the contract lacks, and what it has in excess. */
function differences(contract: readonly string[], code: readonly string[], where: string): string[] {
  const only = (one: readonly string[], other: readonly string[]): string[] =>
    [...new Set(one)].filter((item) => !other.includes(item));
  return [
    ...only(code, contract).map((item) => `${item} is missing: add it to docs/contract.md ${where}.`),
    ...only(contract, code).map((item) => `${item} is not in openapi.json: remove it from docs/contract.md ${where}.`),
  ];
}

const lists = Object.values<Json>(paths).flatMap(({ get }) =>
  get?.responses['200']?.content?.['application/json']?.schema.$ref?.endsWith('List') ? [get] : [],
);

const listedIn = (list: Json): string => recordOf(recordIn(list));

const keyOf = (name: string): string => name.toLowerCase().replaceAll(' ', '').replace(/ies$/, 'y').replace(/s$/, '');
/** The record that the contract means by a word: `API keys` → `ApiKey`. A word that means none stays as it is. */
const recordNamed = (word: string): string => lists.map(listedIn).find((name) => keyOf(name) === keyOf(word)) ?? word;

describe('docs/contract.md', () => {
  it.each(records)('§3 has the fields of requests and responses: %s', (record) => {
    const schemas = Object.entries<Json>(components.schemas).filter(([name]) => recordOf(name) === record);
    const fields = schemas.flatMap(([, { properties = {} }]) => Object.keys(properties));
    const section = sections.get(record)!;
    const mentioned = codeIn(section).filter((code) => fields.includes(code));
    expect(differences([...itemsOf(section), ...mentioned], fields, `§3 ${record}`)).toEqual([]);
  });

  it('begins with a response that has the fields of the record, in the order of §3', () => {
    const [, response = ''] = /^HTTP\/1\.1 200 OK\n.*?\n\n(\{.*?\})\n```/ms.exec(contract) ?? [];
    const fields = itemsOf(sections.get('Organization')!).filter((field) => field !== 'etag');
    expect(Object.keys(JSON.parse(response))).toEqual(fields);
  });

  it.each(records)('§3 has the length of each text and list: %s', (record) => {
    const schemas = Object.entries<Json>(components.schemas).filter(([name]) => recordOf(name) === record);
    const missing = schemas.flatMap(([, { properties = {} }]) =>
      Object.entries<Json>(properties).flatMap(([field, { minLength = 1, maxLength, maxItems }]) => {
        const text = itemOf(field, sections.get(record));
        const bounds = [...(minLength > 1 ? [minLength] : []), maxLength ?? [], maxItems ?? []].flat();
        // What is only compared has the length of what it is compared with.
        const isOwn = text !== undefined && !/read-only|^`currentPassword/.test(text);
        return bounds.filter((bound) => isOwn && !numbersIn(text).includes(bound)).map((bound) => `${field}: ${bound}`);
      }),
    );
    expect([...new Set(missing)].map((one) => `${one}: say so in docs/contract.md §3 ${record}.`)).toEqual([]);
  });

  it('§3 has every record', () => {
    expect(differences(records, [...records, ...lists.map(listedIn)], '§3, as a heading')).toEqual([]);
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

  const items = [...sections.get('Lists')!.matchAll(/^- `(\w+)` \((.+?)\): /gm)];
  const parameters = items.map(([, parameter = '', cell = '']) => [parameter, cell] as const);

  it.each(parameters)('§2 has the lists that take %s: %s', (parameter, cell) => {
    const isTaken = ({ name, in: place }: Json): boolean => name === parameter && place === 'query';
    const takes = ({ parameters = [] }: Json): boolean => parameters.some(isTaken);
    const [all, taking] = [lists, lists.filter(takes)].map((some) => some.map(listedIn));
    const [, isAll, words = ''] = /^(all(?: except |$))?(.*)$/.exec(cell)!;
    const named = words.split(/, | and /).map(recordNamed);
    const documented = isAll === undefined ? named : all!.filter((one) => !named.includes(one));
    expect(differences(documented, taking!, `§2 Lists, in the item of \`${parameter}\``)).toEqual([]);
  });

  it('§2 has every list that takes q, with the fields that openapi.json says it searches', () => {
    const items = [...sections.get('`q`')!.matchAll(/^- ([\w ]+): (`.+`)$/gm)];
    const listed = items.map(([, name = '', fields = '']) => `${recordNamed(name)}: ${codeIn(fields).join(', ')}`);
    const searched = lists.flatMap((list) => {
      const [, sentence] = /`q` searches (.+?`)\.( |$)/m.exec(list.description) ?? [];
      return sentence ? [`${listedIn(list)}: ${codeIn(sentence).join(', ')}`] : [];
    });
    expect(differences(listed, searched, '§2 `q`')).toEqual([]);
  });
});

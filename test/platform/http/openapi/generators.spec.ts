import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../../support/json';

/** What generators of clients need of openapi.json. `npm run test:clients` compiles what some of them make of it. */

const read = (path: string): string => readFileSync(path, 'utf8');
const document: Json = JSON.parse(read(join(__dirname, '../../../../openapi.json')));
const { schemas, responses } = document.components;
const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
/** `updateUser` → `UpdateUser`, as generators name what belongs to an operation. */
const operationNames: string[] = operations.map(({ operationId: id }) => id[0].toUpperCase() + id.slice(1));

/** Every object of the document, with where it is. */
function* objectsIn(value: Json, path = ''): Generator<[path: string, object: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value];
  for (const [key, inner] of Object.entries<Json>(value)) yield* objectsIn(inner, `${path}/${key}`);
}
const objects = [...objectsIn(document)].filter(([path]) => !/\/examples?(\/|$)/.test(path));
const placesOf = (isWrong: (object: Json) => boolean): string[] =>
  objects.filter(([, object]) => isWrong(object)).map(([path]) => path);

/** The globals of browsers and of JavaScript, as the compiler knows them. */
function globalsOfJavaScript(): string[] {
  const folder = dirname(require.resolve('typescript'));
  const declared = ['lib.dom.d.ts', 'lib.es5.d.ts', 'lib.es2015.collection.d.ts', 'lib.es2015.promise.d.ts'].flatMap(
    (file) =>
      [...read(join(folder, file)).matchAll(/^(?:declare )?(?:var|interface|type|class|function) (\w+)/gm)].map(
        ([, name]) => name!,
      ),
  );
  return [...declared, ...Object.getOwnPropertyNames(globalThis)];
}

/** Types that code has without an import, or that the generated code imports or declares itself. */
const words = (text: string): string[] => text.trim().split(/\s+/);
const NAMES: Readonly<Record<string, readonly string[]>> = {
  JavaScript: globalsOfJavaScript(),
  Java: words(`Object String Boolean Byte Character Class Double Enum Error Exception Float Integer Iterable Long Math Module
    Number Override Package Process Record Runnable Runtime Short System Thread Throwable Void List Map Set Date Arrays Objects
    Optional Pattern File InputStream StringJoiner Generated JSON Pair ApiClient ApiException ApiResponse Configuration`),
  Python:
    words(`ArithmeticError AssertionError AttributeError BaseException ConnectionError Ellipsis Exception False ImportError
    IndexError KeyError LookupError MemoryError NameError None NotImplemented OSError PermissionError RuntimeError SyntaxError
    SystemError TimeoutError True TypeError ValueError Warning Any Annotated Callable ClassVar Dict Enum List Literal Optional Self
    Set Tuple Type Union BaseModel ConfigDict Field PrivateAttr SecretStr StrictBool StrictBytes StrictFloat StrictInt StrictStr
    ValidationError ApiException Response RESTResponse OpenApiException Client AuthenticatedClient Unset UNSET File`),
  Go: words(`Error Time Context Client ClientOption ClientInterface ClientWithResponses HttpRequestDoer RequestEditorFn APIClient
    APIResponse APIKey BasicAuth Configuration GenericOpenAPIError MappedNullable ServerConfiguration ServerVariable Handler
    Invoker Server SecuritySource OptString OptInt OptBool NilString`),
  Kotlin: words(
    'Any Array Boolean Byte Char Double Float Int List Long Map Nothing Pair Result Set Short String Triple Unit',
  ),
  Rust: words(
    'Box Clone Copy Debug Default Drop Err Error Fn From HashMap Into Iterator None Ok Option Result Self Some String Vec',
  ),
  'C# and Swift': words(
    'Action Attribute Codable Data DateTime Decimal Delegate Enum Event Guid Object Protocol Task Tuple Type Uri URL',
  ),
};

/** What generators make of a schema's or an operation's name. */
const SCHEMA_FORMS = ['New$', 'New$WithDefaults', 'Nullable$', 'Opt$', 'Nil$', '$FromJSON', '$ToJSON', 'instanceOf$'];
const OPERATION_FORMS = [
  '$',
  '$Params',
  '$Request',
  'Api$Request',
  '$Response',
  '$Req',
  '$Res',
  '$Body',
  '$JSONBody',
  '$Data',
  '$Error',
];

describe('the names of schemas', () => {
  const names = Object.keys(schemas);

  it.each(Object.entries(NAMES))('are none that %s or its generated code has', (_language, taken) => {
    expect(names.filter((name) => taken.includes(name))).toEqual([]);
  });

  it('are no forms of other names: of constructors in Go, and of what an operation takes and returns', () => {
    const forms = (all: readonly string[], patterns: readonly string[]): string[] =>
      all.flatMap((name) => patterns.map((form) => form.replace('$', name)));
    const taken = new Set([...forms(names, SCHEMA_FORMS), ...forms(operationNames, OPERATION_FORMS)]);
    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });

  it('differ from each other and from those of responses, in lower case too: they become names of files', () => {
    const all = [...names, ...Object.keys(responses)].map((name) => name.toLowerCase());
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });
});

describe('a schema of openapi.json', () => {
  const isNull = ({ type }: Json): boolean => type === 'null';

  it('has no alternatives, except for null', () => {
    const hasAlternatives = ({ oneOf, anyOf, allOf, type }: Json): boolean => {
      const others = (anyOf ?? []).filter((one: Json) => !isNull(one));
      return (
        Boolean(oneOf || allOf) ||
        others.length > 1 ||
        (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
      );
    };
    expect(placesOf(hasAlternatives)).toEqual([]);
  });

  it('has no sets, and no formats that are types of their own with other rules', () => {
    expect(placesOf(({ uniqueItems, format }) => uniqueItems !== undefined || format === 'uri')).toEqual([]);
  });

  it('says how large an integer can be', () => {
    const isInteger = ({ type }: Json): boolean =>
      type === 'integer' || (Array.isArray(type) && type.includes('integer'));
    expect(placesOf((one) => isInteger(one) && !['int32', 'int64'].includes(one.format))).toEqual([]);
  });

  it('has names for the words of a list', () => {
    expect(placesOf(({ items }) => items?.enum !== undefined)).toEqual([]);
  });

  it('has a type for each field of a request, read-only ones too', () => {
    const untyped = Object.entries<Json>(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries<Json>(properties)
        .filter(([, { type, $ref, anyOf }]) => name.endsWith('Input') && !(type ?? $ref ?? anyOf))
        .map(([field]) => `${name}.${field}`),
    );
    expect(untyped).toEqual([]);
    const { createdAt, managerIds } = schemas.OrganizationInput.properties;
    expect([createdAt.format, managerIds.type]).toEqual(['date-time', ['array', 'null']]);
  });
});

describe('an operation of openapi.json', () => {
  it('has an id as the example of each parameter of its path, never `me`', () => {
    const inPath = operations.flatMap(({ parameters }) => parameters).filter((one: Json) => one.in === 'path');
    expect(new Set(inPath.map(({ example }: Json) => /^[0-9a-f]{24}$/.test(example)))).toEqual(new Set([true]));
  });

  it('has a description that begins with what it does, for tools that read nothing else', () => {
    for (const { summary, description } of operations) expect(description.split(/(?<=\.)\s/)[0]).toBe(`${summary}.`);
  });

  it('has WWW-Authenticate with each 401', () => {
    const unauthorized = operations.flatMap(({ responses: own }) =>
      own['401'] ? [own['401'].$ref.split('/').at(-1)] : [],
    );
    expect(unauthorized).toHaveLength(2);
    for (const name of unauthorized) expect(responses[name].headers).toHaveProperty('WWW-Authenticate');
  });
});

test('openapi.json names a contact and where to read more, with links that do not depend on the page', () => {
  expect(document.info.contact).toMatchObject({ name: expect.any(String) });
  expect(document.externalDocs).toEqual({ description: 'The HTTP contract', url: '/docs/contract' });
  const texts = objects.map(([, { description }]) => String(description));
  const links = texts.flatMap((text) => [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link));
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !/^(?:\/|https:)/.test(link!))).toEqual([]);
});

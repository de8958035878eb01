import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compareDocuments } from '../../../../scripts/lib/openapi-diff.mjs';
import type { Json } from '../../../support/json';

/** A small document with everything that is compared. */
function released(): Json {
  return {
    paths: {
      '/nets': {
        get: {
          operationId: 'listNets',
          security: [],
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          responses: {
            200: {
              headers: { Link: { schema: { type: 'string' } }, 'Cache-Control': { schema: { enum: ['private'] } } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Net' } } },
            },
            404: { $ref: '#/components/responses/Error' },
            default: { $ref: '#/components/responses/Error' },
          },
        },
      },
      '/nets/{id}': {
        put: {
          operationId: 'updateNet',
          security: [{ bearer: [] }],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NetInput' } } } },
          responses: { 204: {} },
        },
      },
    },
    components: {
      parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } } },
      responses: { Error: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } } },
      schemas: {
        Error: { type: 'object', required: ['code'], properties: { code: { enum: [1] }, message: { type: 'string' } } },
        Net: {
          type: 'object',
          required: ['size'],
          properties: {
            size: { type: 'integer' },
            colour: { enum: ['red', 'blue'] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Net' } },
          },
        },
        NetInput: {
          type: 'object',
          additionalProperties: false,
          required: ['size'],
          properties: {
            size: { type: ['integer', 'null'], minimum: 1 },
            colour: { enum: ['red', 'blue'] },
            note: { type: 'string', maxLength: 100 },
            owner: { oneOf: [{ type: 'string' }] },
            _id: { description: 'Read-only.' },
          },
        },
      },
    },
  };
}

const GET = 'GET /nets';
const LIMIT = `${GET}: the query parameter limit`;
const RESPONSE = `${GET}: the response 200`;
const PUT = 'PUT /nets/{id}';
const BODY = `${PUT}: the body`;

type Change = (document: Json) => void;
const list = ({ paths }: Json) => paths['/nets'].get;
const update = ({ paths }: Json) => paths['/nets/{id}'].put;
const limit = ({ components }: Json) => components.parameters.Limit;
const net = ({ components }: Json) => components.schemas.Net;
const input = ({ components }: Json) => components.schemas.NetInput;

const breaking: [string, Change][] = [
  [`${GET} is gone`, (now) => delete now.paths['/nets']],
  [`${GET} needs a login`, (now) => (list(now).security = [{ bearer: [] }])],
  [`${GET}: the operationId is getNets instead of listNets`, (now) => (list(now).operationId = 'getNets')],
  [`${LIMIT} is no longer accepted`, (now) => (list(now).parameters = [])],
  [`${LIMIT} is required`, (now) => (limit(now).required = true)],
  [
    `${GET}: the query parameter q is required`,
    (now) => list(now).parameters.push({ name: 'q', in: 'query', required: true }),
  ],
  [`${LIMIT}: minimum is 2`, (now) => (limit(now).schema.minimum = 2)],
  [`${LIMIT}: maximum is 50`, (now) => (limit(now).schema.maximum = 50)],
  [`${PUT}: a body is required`, (now) => (update(now).requestBody.required = true)],
  [`${BODY} can no longer be application/json`, (now) => (update(now).requestBody.content = {})],
  [`${BODY}.colour is no longer accepted`, (now) => delete input(now).properties.colour],
  [`${BODY}.note is required`, (now) => input(now).required.push('note')],
  [`${BODY}.note must be "short"`, (now) => (input(now).properties.note.const = 'short')],
  [`${BODY}.note: minLength is 1`, (now) => (input(now).properties.note.minLength = 1)],
  [`${BODY}.size can no longer be null`, (now) => (input(now).properties.size.type = 'integer')],
  [`${BODY}.colour can no longer be "red"`, (now) => input(now).properties.colour.enum.shift()],
  [`${RESPONSE} is gone`, (now) => delete list(now).responses[200]],
  [`${RESPONSE} can no longer be application/json`, (now) => (list(now).responses[200].content = {})],
  [
    `${RESPONSE}: the header Link can be boolean`,
    (now) => (list(now).responses[200].headers.Link.schema.type = 'boolean'),
  ],
  [`${RESPONSE} has no header Link`, (now) => delete list(now).responses[200].headers.Link],
  [`${RESPONSE}.size is gone`, (now) => delete net(now).properties.size],
  [`${RESPONSE}.size can be missing`, (now) => (net(now).required = [])],
  [`${RESPONSE}.size can be null`, (now) => (net(now).properties.size.type = ['integer', 'null'])],
  [`${RESPONSE}.colour can be "green"`, (now) => net(now).properties.colour.enum.push('green')],
  [`${RESPONSE}.colour can be other than "red","blue"`, (now) => delete net(now).properties.colour.enum],
  [`${GET}: the response 404.message is gone`, (now) => delete now.components.schemas.Error.properties.message],
];

const added: [string, Change][] = [
  ['POST /nets', (now) => (now.paths['/nets'].post = {})],
  [`${GET}: the query parameter q`, (now) => list(now).parameters.push({ name: 'q', in: 'query' })],
  [`${BODY}.weight`, (now) => (input(now).properties.weight = {})],
  [`${BODY}.colour: "green"`, (now) => input(now).properties.colour.enum.push('green')],
  [`${RESPONSE}.weight`, (now) => (net(now).properties.weight = {})],
  [`${RESPONSE} has the header ETag`, (now) => (list(now).responses[200].headers.ETag = {})],
];

const unsure: [string, Change][] = [
  [`${BODY}.note: pattern was not set and is "^a"`, (now) => (input(now).properties.note.pattern = '^a')],
  [`${BODY}.owner: oneOf was [{"type":"string"}] and is not set`, (now) => delete input(now).properties.owner.oneOf],
  [`${BODY}._id: its values were not described and are`, (now) => (input(now).properties._id.type = 'string')],
  [`${LIMIT}: default was not set and is 5`, (now) => (limit(now).schema.default = 5)],
  ['The servers have changed', (now) => (now.servers = [{ url: '/v2' }])],
  [`${GET}: the response 202 is new`, (now) => (list(now).responses[202] = {})],
];

const harmless: [string, Change][] = [
  ['an error that is no longer listed', (now) => delete list(now).responses[404]],
  ['a new error code', (now) => now.components.schemas.Error.properties.code.enum.push(2)],
  ['a wider limit', (now) => (limit(now).schema.maximum = 1000)],
  ['an optional field that was required', (now) => (input(now).required = [])],
  ['other limits of a response', (now) => (net(now).properties.size.minimum = 0)],
  [
    'what caches may do with a response',
    (now) => (list(now).responses[200].headers['Cache-Control'].schema.enum = ['no-store']),
  ],
  ['a parameter of a whole path', (now) => (now.paths['/nets'].parameters = [])],
  ['a description', (now) => (net(now).description = 'A net.')],
  [
    'another name of a path parameter',
    ({ paths }) => {
      paths['/nets/{netId}'] = paths['/nets/{id}'];
      delete paths['/nets/{id}'];
      update({ paths: { '/nets/{id}': paths['/nets/{netId}'] } }).parameters[0].name = 'netId';
    },
  ],
];

function changesOf(change: Change): object {
  const current = released();
  change(current);
  return compareDocuments(released(), current);
}

describe('npm run openapi:diff', () => {
  it.each(breaking)('names what breaks clients: %s', (line, change) =>
    expect(changesOf(change)).toMatchObject({ breaking: expect.arrayContaining([line]) }),
  );

  it.each(added)('names what is new: %s', (line, change) =>
    expect(changesOf(change)).toEqual({ breaking: [], unsure: [], added: [line] }),
  );

  it.each(unsure)('leaves to people: %s', (line, change) =>
    expect(changesOf(change)).toEqual({ breaking: [], unsure: [line], added: [] }),
  );

  it.each(harmless)('ignores %s', (_what, change) =>
    expect(changesOf(change)).toEqual({ breaking: [], unsure: [], added: [] }),
  );
});

test('openapi.json breaks no client of the last release', () => {
  const program = join(__dirname, '../../../../scripts/openapi-diff.mjs');
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ status, breaking: /^.* breaks clients\n(?:  .*\n)*/m.exec(stdout)?.[0] }).toEqual({
    status: 0,
    breaking: '0 breaks clients\n',
  });
});

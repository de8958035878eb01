import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { apiErrors } from '../../src/errors/api-error';
import { fieldErrors } from '../../src/errors/field-error';
import { METHODS, OpenApi, OperationObject } from '../../src/openapi/open-api';
import { Service, startService } from '../support/service';

const ROOT = join(__dirname, '../..');
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method): [string, string, OperationObject][] =>
    item[method] ? [[method, path, item[method]]] : [],
  ),
);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

describe('openapi.json', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('is OpenAPI 3.1 with schemas that can be compiled', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).not.toThrow();
    }
  });

  it('has no reference to nothing', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    const dangling = references.filter(
      (path) =>
        path.split('/').reduce<unknown>((part, step) => (part as Record<string, unknown>)?.[step], document) ===
        undefined,
    );
    expect(dangling).toEqual([]);
  });

  it.each(operations)('%s %s is an operation of the service', async (method, path) => {
    const { status, body } = await service.nobody.send({ method: 'OPTIONS', path: path.replaceAll(/\{\w+\}/g, 'x') });
    expect([status, body]).toEqual([204, undefined]);
    const { headers } = await service.nobody.send({ method: 'OPTIONS', path: path.replaceAll(/\{\w+\}/g, 'x') });
    expect(headers.allow?.split(', ')).toContain(method.toUpperCase());
  });

  it('has an id of its own, a summary, a tag and a bearer or none for each operation', () => {
    expect(new Set(operations.map(([, , { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [method, path, operation] of operations) {
      expect(operation.summary).toBeTruthy();
      expect(operation.tags).toHaveLength(1);
      const isOpen = method === 'post' && (path === '/sessions' || path === '/tokens');
      expect(operation.security).toEqual(isOpen ? undefined : [{ bearer: [] }]);
    }
  });

  it('lists what befalls every request, and what follows from path, body and If-Match', () => {
    for (const [method, path, { responses, requestBody }] of operations) {
      const statuses = Object.keys(responses);
      expect(statuses).toEqual(expect.arrayContaining(['400', '408', '414', '417', '429', '431', '500', '503']));
      expect(statuses.includes('404')).toBe(path.includes('{'));
      expect(statuses.includes('415')).toBe(requestBody !== undefined);
      expect(statuses.includes('413')).toBe(requestBody !== undefined);
      const isConditional = (method === 'put' || method === 'delete') && !path.startsWith('/sessions');
      expect(statuses.includes('412')).toBe(isConditional);
    }
  });

  it('shows bodies that are valid by their schemas', () => {
    for (const [, , { requestBody }] of operations) {
      const json = requestBody?.content['application/json'];
      if (!json) continue;
      const validate = ajv.compile({ $ref: `openapi${json.schema.$ref}` });
      expect([validate(json.example), validate.errors]).toEqual([true, null]);
    }
  });

  it('takes no unknown field and shows none, in any record', () => {
    for (const schema of Object.values(document.components.schemas)) expect(schema.additionalProperties).toBe(false);
  });

  it('knows every code of the table that an operation can answer with', () => {
    const text = JSON.stringify(document.components.responses);
    const elsewhere = ['pathNotFound', 'methodNotAllowed'];
    const missing = Object.entries(apiErrors).filter(
      ([name, { code }]) => !elsewhere.includes(name) && !text.includes(`\`${code}\``),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/errors.md', () => {
  it('has every code and every fault', () => {
    const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
    for (const { code } of [...Object.values(apiErrors), ...Object.values(fieldErrors)])
      expect(page).toContain(`${code}`);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ValidateFunction, Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { OTHER_PATHS } from './response-promises';
import type { ApiResponse, Method } from './client';
import type { Json } from './json';

const ROOT = 'openapi';

/** Headers about a record or a page: if a response has one, its operation must document it. */
const DOCUMENTED_HEADERS = ['etag', 'link', 'location', 'x-total-count'];

/** Compares responses with openapi.json (3.1: its schemas are JSON Schema 2020-12). */
class OpenApiCheck {
  private readonly document: Json = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'));
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor() {
    addFormats.default(this.ajv);
    this.ajv.addSchema(strict(this.document), ROOT);
  }

  /**
   * Compares a response with the document.
   *
   * @param path the request's, without query string and base path
   * @returns a line for each difference
   */
  *differences(method: Method, path: string, response: ApiResponse): Generator<string> {
    const template = Object.keys(this.document.paths).find((candidate) => matches(candidate, path));
    if (template === undefined) {
      if (![404, 429].includes(response.status) && !OTHER_PATHS.test(path)) yield 'openapi.json has no such path';
      return;
    }
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.document.paths[template][name];
    if (!operation) return yield* this.unlisted(method, response);
    const { responses } = operation;
    const status = response.status >= 400 && !responses[response.status] ? 'default' : response.status;
    const pointer = `#/paths/${escaped(template)}/${name}/responses/${status}`;
    const documented = responses[status];
    if (!documented) return yield `openapi.json lists no ${response.status} there`;
    yield* this.differentBody(method, pointer, documented, response);
    yield* this.differentHeaders(pointer, this.resolved(documented), response);
    yield* unlistedCode(this.resolved(documented), response);
  }

  /** A method that the path lacks returns 405, and OPTIONS 204, unless the address has used up its limit. */
  private *unlisted(method: Method, { status }: ApiResponse): Generator<string> {
    const expected = method === 'OPTIONS' ? 204 : 405;
    if (![expected, 404, 429].includes(status)) yield `openapi.json has no such operation`;
  }

  private *differentBody(method: Method, pointer: string, documented: Json, response: ApiResponse): Generator<string> {
    const { content } = this.resolved(documented);
    if (method === 'HEAD') return;
    const [type = ''] = (response.headers['content-type'] ?? '').split(';', 1);
    if (!content) return void (response.bytes.length > 0 && (yield 'openapi.json has no body there'));
    const described = content[type] ?? content['*/*'] ?? content[`${type.split('/', 1)[0]}/*`];
    if (!described) return yield `openapi.json has no ${type || 'empty body'} there`;
    if (type !== 'application/json' || !described.schema) return;
    const base = documented.$ref ?? pointer;
    yield* this.errors(`${base}/content/${escaped(type)}/schema`, response.body);
  }

  private *differentHeaders(pointer: string, { headers = {} }: Json, response: ApiResponse): Generator<string> {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    for (const name of DOCUMENTED_HEADERS) {
      if (response.headers[name] !== undefined && !names.includes(name))
        yield `openapi.json has no header ${name} there`;
    }
    for (const [name, given] of Object.entries<Json>(headers)) {
      const header = this.resolved(given);
      const value = response.headers[name.toLowerCase()];
      if (value === undefined && header.required) yield `the header ${name} is not there`;
      if (value === undefined || !header.schema) continue;
      const isNumber = header.schema.type === 'integer' || header.schema.type === 'number';
      const at = given.$ref ?? `${pointer}/headers/${escaped(name)}`;
      for (const line of this.errors(`${at}/schema`, isNumber ? Number(value) : value)) yield `header ${name}: ${line}`;
    }
  }

  private *errors(pointer: string, value: unknown): Generator<string> {
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `${ROOT}${pointer}` });
      this.validators.set(pointer, validate);
    }
    if (validate(value)) return;
    for (const { instancePath, message } of validate.errors ?? []) yield `body${instancePath} ${message}`;
  }

  private resolved(given: Json): Json {
    if (given.$ref === undefined) return given;
    const steps: string[] = given.$ref.replace(/^#\//, '').split('/');
    return steps.reduce((value, step) => value[step], this.document);
  }
}

/** The document, with responses that may have no fields other than those it lists. */
function strict(document: Json): Json {
  const schemas = Object.entries<Json>(document.components.schemas).map(([name, schema]) => [
    name,
    schema.type === 'object' ? { ...schema, additionalProperties: false } : schema,
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

/** The description of an error response lists the codes that it may have. */
function* unlistedCode({ description = '' }: Json, { status, body }: ApiResponse): Generator<string> {
  if (status < 400 || body === undefined || description.includes(`\`${body.code}\``)) return;
  yield `openapi.json lists no code ${body.code} there: add it to @Throws of this operation, and run npm run build`;
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}

/** A step of a JSON Pointer inside a URI fragment (RFC 6901 §6). */
function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

export const openApiCheck = new OpenApiCheck();

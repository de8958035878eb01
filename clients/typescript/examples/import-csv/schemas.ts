import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

/** The body of a request, as openapi.json describes it. */
export type BodyName = 'OrganizationInput' | 'ApiInput';

interface Schema {
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  $ref?: string;
  anyOf?: Schema[];
}

interface Document {
  components: { schemas: Record<string, Schema> };
}

const DOCUMENT = join(import.meta.dirname, '../../../../openapi.json');

/** What the cells of a row mean in the body of a request. Fields of an object have columns such as `address.city`. */
export class BodySchema {
  /** The columns, each with its schema; read-only fields have no type. */
  readonly #fields: Map<string, Schema>;
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ allErrors: true, validateFormats: false, strict: false });
  readonly name: BodyName;

  /** @param document openapi.json */
  constructor(name: BodyName, document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document) {
    this.name = name;
    this.#document = document;
    this.#ajv.addSchema(document, 'openapi');
    this.#fields = new Map(this.#fieldsOf(document.components.schemas[name]!, ''));
  }

  /** The names of the columns that a program may fill in. */
  get columns(): string[] {
    return [...this.#fields.keys()];
  }

  /** The body that the cells describe, by column. */
  bodyOf(cells: Record<string, string>): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const [column, cell] of Object.entries(cells)) {
      const [field = '', inner] = column.split('.');
      const value = this.#valueOf(column, cell);
      body[field] = inner === undefined ? value : { ...(body[field] as object), [inner]: value };
    }
    return body;
  }

  /** What is wrong with a body, one error for each field; the service finds more, such as ids of records that do not exist. */
  fieldErrorsOf(body: unknown): { title: string; detail: string }[] {
    this.#ajv.validate({ $ref: `openapi#/components/schemas/${this.name}` }, body);
    const errors = new Map<string, string>();
    for (const error of this.#ajv.errors ?? []) {
      const path = error.instancePath.split('/').slice(1);
      const missing = error.params.missingProperty as string | undefined;
      const field = [...path, ...(missing === undefined ? [] : [missing])].join('.');
      const known = this.#fields.get(field) ? field : path[0];
      // An object is null or has its fields: what is wrong with them says more.
      if (known === undefined || error.keyword === 'anyOf' || isNullOf(error)) continue;
      if (!errors.has(known)) errors.set(known, detailOf(error, this.#fields.get(known)));
    }
    return [...errors].map(([title, detail]) => ({ title, detail }));
  }

  /** A list of words, true or false, a whole number, or text. */
  #valueOf(column: string, cell: string): unknown {
    const types = typesOf(this.#fields.get(column));
    if (types.includes('array')) return cell.split(/[\s,;]+/).filter((word) => word !== '');
    if (types.includes('boolean') && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
    if (types.includes('integer') && /^-?\d+$/.test(cell)) return Number(cell);
    return cell;
  }

  #fieldsOf({ properties = {} }: Schema, prefix: string): [string, Schema][] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      const reference = [schema, ...(schema.anyOf ?? [])].find(({ $ref }) => $ref)?.$ref;
      const object = reference && this.#document.components.schemas[reference.split('/').at(-1)!];
      if (object) return this.#fieldsOf(object, `${prefix}${name}.`);
      return schema.type === undefined ? [] : [[`${prefix}${name}`, schema] as [string, Schema]];
    });
  }
}

const typesOf = (schema: Schema | undefined): string[] => [schema?.type ?? []].flat();

/** An object that may be null is refused as null, too. */
const isNullOf = ({ keyword, params }: ErrorObject): boolean => keyword === 'type' && params.type === 'null';

function detailOf({ keyword, params, message }: ErrorObject, schema?: Schema): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).filter(Boolean).join(', ')}`;
  if (typesOf(schema).includes('integer') && ['type', 'minimum', 'maximum'].includes(keyword))
    return `must be a whole number from ${schema?.minimum} to ${schema?.maximum}`;
  // Of all other types, only flags can be wrong: other cells are texts.
  if (keyword === 'type') return 'must be true or false';
  if (keyword === 'pattern') return `must look like ${[schema?.examples?.[0]].flat().join(' ')}`;
  return `${message}`;
}

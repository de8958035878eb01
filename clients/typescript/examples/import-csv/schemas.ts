import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

interface Schema {
  type?: string | string[];
  examples?: unknown[];
}

/** The body of a request, as openapi.json describes it. */
export type BodyName = 'OrganizationInput' | 'ApiInput';

const DOCUMENT = join(import.meta.dirname, '../../../../openapi.json');
const { components } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  components: { schemas: Record<BodyName, { properties: Record<string, Schema> }> };
};
const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strict: false });

/** The fields that a program may set; read-only ones have no type. */
export function fieldsOf(body: BodyName): string[] {
  const { properties } = components.schemas[body];
  return Object.keys(properties).filter((name) => properties[name]?.type !== undefined);
}

/** What a cell means in this field: a list of words, true or false, or text. */
export function valueOf(body: BodyName, field: string, cell: string): unknown {
  const types = [components.schemas[body].properties[field]?.type].flat();
  if (types.includes('array')) return cell.split(/[\s,;]+/).filter((word) => word !== '');
  if (types.includes('boolean') && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

/** What is wrong with a body, one error for each field; the service finds more, such as ids of records that do not exist. */
export function fieldErrorsOf(name: BodyName, body: unknown): { title: string; detail: string }[] {
  const schema = components.schemas[name];
  ajv.validate(schema, body);
  const errors = new Map<string, string>();
  for (const error of ajv.errors ?? []) {
    const field = error.instancePath.split('/')[1] ?? String(error.params.missingProperty);
    if (!errors.has(field)) errors.set(field, detailOf(error, schema.properties[field]));
  }
  return [...errors].map(([title, detail]) => ({ title, detail }));
}

/** Of all types, only flags can be wrong: other cells are texts. */
function detailOf({ keyword, params, message }: ErrorObject, schema?: Schema): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).filter(Boolean).join(', ')}`;
  if (keyword === 'type') return 'must be true or false';
  if (keyword === 'pattern') return `must look like ${[schema?.examples?.[0]].flat().join(' ')}`;
  return `${message}`;
}

import { RECORD_ID } from '../http/record-id';
import type { Schema } from './open-api';

const ID: Schema = { type: 'string', pattern: RECORD_ID.source };
/** Dates as they go out: UTC with milliseconds (contract §1.6). */
const DATE: Schema = {
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
};

/** What the fields of answers hold, by their names: ids and dates have one form everywhere (contract §1.2, §1.6). */
const FORMS: readonly (readonly [name: RegExp, form: (schema: Schema) => Schema])[] = [
  [/^(_id|createdBy|\w+Id)$/, (schema) => ({ description: 'Its identifier.', ...schema, pattern: ID.pattern })],
  [/Ids$/, (schema) => ({ ...schema, items: ID, uniqueItems: true })],
  [/^createdAt$/, (schema) => ({ description: 'When it was created.', ...schema, ...DATE })],
  [/At$/, (schema) => ({ ...schema, ...DATE })],
  [/^(index|expiresIn|size)$/, (schema) => ({ ...schema, type: 'integer', minimum: 0 })],
];

/** The schema of a record as an answer shows it: all of its fields in their forms, and no others. */
export function answerSchema(schema: Schema): Schema {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Schema] => {
    const form = FORMS.find(([pattern]) => pattern.test(name))?.[1];
    return [name, form ? form(modern(field)) : modern(field)];
  });
  return { ...schema, properties: Object.fromEntries(fields), additionalProperties: false };
}

/**
 * The schema of a body: no unknown fields (contract §1.5).
 *
 * @param alternatives fields of which exactly one is given
 */
export function bodySchema(schema: Schema, alternatives: readonly string[]): Schema {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, withoutUnion(modern(field))]);
  return {
    ...schema,
    properties: Object.fromEntries(fields) as Record<string, Schema>,
    ...(alternatives.length > 0 && { oneOf: alternatives.map(isGiven) }),
    additionalProperties: false,
  };
}

/** A field that is null or blank counts as left out (contract §1.5, §1.6). */
function isGiven(name: string): Schema {
  return { required: [name], properties: { [name]: { type: 'string', pattern: '[^\\s\\p{Z}\\p{C}]' } } };
}

/** With `examples` as JSON Schema 2020-12 has them, and comments that wrap as one line. */
function modern({ example, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(schema.description !== undefined && { description: schema.description.replaceAll('\n', ' ') }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** A read-only field may have any value: the empty schema says so, while Nest asks for some keyword. */
function withoutUnion({ anyOf, ...schema }: Schema): Schema {
  return anyOf === undefined ? schema : { description: schema.description };
}

import type { OperationObject as AnyOperation, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schemas = Record<string, SchemaObject>;

/** An operation as Nest documents it, which always has a list of parameters, without references. */
export interface OperationObject extends Omit<AnyOperation, 'parameters'> {
  operationId: string;
  parameters: ParameterObject[];
  /** Who may call it, in sentences. */
  'x-access'?: string;
}

/** Completes the schema of a DTO. Requests end in `Input`, and take no unknown fields (contract §1.5). */
export function completeSchema(name: string, { 'x-exactly-one-of': oneOf, ...schema }: DtoSchema): SchemaObject {
  const fields = Object.entries(schema.properties ?? {});
  const isRequest = name.endsWith('Input');
  for (const [field, one] of fields) assertTyped(`${name}.${field}`, one);
  const completed = {
    ...schema,
    properties: Object.fromEntries(fields.map(([field, one]) => [field, completeField(one, isRequest)])),
  };
  if (!isRequest) return completed;
  const readOnly = fields.filter(([, field]) => 'readOnly' in field && !field.description);
  const names = readOnly.map(([field]) => `\`${field}\``);
  return {
    ...(names.length > 0 && { description: `${names.join(', ')} are read-only: accepted and ignored.` }),
    ...completed,
    ...(oneOf && { oneOf: oneOf.map(isGiven) }),
    additionalProperties: false,
  };
}

/** The schema as the decorators of the DTO describe it. */
type DtoSchema = SchemaObject & { 'x-exactly-one-of'?: readonly string[] };

/** A field that is null or blank counts as left out (contract §1.5, §1.6). */
function isGiven(name: string): SchemaObject {
  return { required: [name], properties: { [name]: { type: 'string', pattern: '[^\\s\\x85]' } } };
}

/** @throws Error for a field that has no type, or is any object: the type of its property is no class */
function assertTyped(name: string, field: SchemaObject | ReferenceObject): void {
  if (['readOnly', '$ref', 'allOf', 'anyOf', 'oneOf', 'enum'].some((key) => key in field)) return;
  const types = [(field as SchemaObject).type ?? 'object'].flat();
  if (!types.includes('object')) return;
  throw new Error(
    `openapi.json cannot tell what ${name} is: give it a kind, or the DTO of the object, in its decorator.`,
  );
}

/** The schema of a field as its decorators describe it. */
type DocumentedField = Omit<SchemaObject, 'example'> & { example?: unknown; 'x-at-least'?: string };

/** Uses `examples`, as JSON Schema 2020-12 does, and joins lines of comments. A schema cannot compare two fields: a sentence does. */
function completeField(field: SchemaObject | ReferenceObject, isRequest: boolean): SchemaObject | ReferenceObject {
  if ('$ref' in field) return field;
  const { example, readOnly, description, 'x-at-least': other, ...schema } = field as DocumentedField;
  const sentences = [description?.replaceAll('\n', ' '), other && `At least \`${other}\`.`].filter(Boolean);
  return {
    // A request may have any value in a read-only field, as far as a schema can tell; `readOnly` would tell clients not to
    // send it.
    ...(readOnly && isRequest ? {} : schema),
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Gives the operation's JSON body an example, from the fields that have one. */
export function addExample({ requestBody }: OperationObject, schemas: Schemas): void {
  const body = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (body?.schema && '$ref' in body.schema) body.example = exampleOf(body.schema, schemas);
}

function exampleOf(field: SchemaObject | ReferenceObject, schemas: Schemas): unknown {
  if ('examples' in field) return (field.examples as unknown[])[0];
  const { allOf = [], anyOf = [] } = field as SchemaObject;
  const reference = [field, ...allOf, ...anyOf].find((one) => '$ref' in one);
  if (!reference) return undefined;
  const fields = Object.entries(schemas[reference.$ref.split('/').at(-1)!]?.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, one]) => [name, exampleOf(one, schemas)]).filter(([, example]) => example !== undefined),
  );
}

import type { OperationObject as AnyOperation, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';

export type Schemas = Record<string, SchemaObject>;

/** "a, b and c" */
export const AND = new Intl.ListFormat('en-GB');

/** An operation as Nest documents it, which always has a list of parameters, without references. */
export interface OperationObject extends Omit<AnyOperation, 'parameters'> {
  operationId: string;
  parameters: ParameterObject[];
  /** Who may call it, in sentences. */
  'x-access'?: string;
}

/**
 * Completes the schema of a DTO. Requests end in `Input`, and take no unknown fields (contract §1.5).
 * @param all the schemas of all DTOs: a field that only responses set has the type that it has there
 */
export function completeSchema(
  name: string,
  { 'x-exactly-one-of': oneOf, ...schema }: DtoSchema,
  all: Schemas,
): SchemaObject {
  // A list of words that Nest has named; its description is that of the first field.
  if (schema.enum) return { type: schema.type, enum: schema.enum };
  const fields = Object.entries(schema.properties ?? {});
  const completed = fields.map(([field, one]) => {
    if ('readOnly' in one) return [field, readOnlyField(name, field, one, all)];
    assertTyped(`${name}.${field}`, one);
    return [field, completeField(one)];
  });
  const properties = Object.fromEntries(completed) as Schemas;
  if (!name.endsWith('Input')) return { ...schema, properties };
  const readOnly = fields.filter(([, field]) => 'readOnly' in field);
  const ignored = readOnly.filter(([, field]) => !(field as SchemaObject).description);
  const sentences = [
    oneOf && `Exactly one of ${inCode(oneOf)} is required.`,
    ignored.length > 0 && `${inCode(ignored.map(([field]) => field))} are read-only: accepted and ignored.`,
  ].filter(Boolean);
  return {
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...schema,
    properties,
    additionalProperties: false,
    // For programs.
    ...(readOnly.length > 0 && { 'x-read-only': readOnly.map(([field]) => field) }),
  };
}

/** The schema as the decorators of the DTO describe it. */
type DtoSchema = SchemaObject & { 'x-exactly-one-of'?: readonly string[] };

/** "`a`, `b` and `c`" */
function inCode(names: readonly string[]): string {
  return AND.format(names.map((name) => `\`${name}\``));
}

/**
 * A field that a request may repeat: of the type that it has in the response, so clients in typed languages can send back
 * what they got. `readOnly` would tell them not to send it.
 * @throws Error if the response of this record has no such field
 */
function readOnlyField(name: string, field: string, own: SchemaObject, all: Schemas): unknown {
  const record = name.replace(/^(?:Create|Update)(?=[A-Z])|Input$/g, '');
  // The items of lists have an `etag` in addition.
  const shown = all[record]?.properties?.[field] ?? all[`${record}Item`]?.properties?.[field];
  if (!shown)
    throw new Error(`openapi.json cannot tell what ${name}.${field} is: the response ${record} has no such field.`);
  if ('$ref' in shown) return shown;
  const { description = 'Read-only.', maxItems } = own;
  const { format, items } = shown;
  // An object, or null, or anything.
  if (!shown.type || [shown.type].flat().includes('object')) return completeField({ ...shown, description });
  // Generated Java sends an empty list for one that is left out, unless it may be null.
  const type = shown.type === 'array' ? ['array', 'null'] : shown.type;
  return { type, ...(format && { format }), ...(items && { items }), ...(maxItems && { maxItems }), description };
}

/** @throws Error if a class of stored records would get the name of a DTO, which loses its `Dto` */
export function assertNoneHidden(names: readonly string[]): void {
  const hiding = names.find((name) => names.includes(`${name}Dto`));
  if (hiding)
    throw new Error(`The type of a handler is the class ${hiding}, which hides ${hiding}Dto: use RecordOf<${hiding}>.`);
}

/** @throws Error for a field that has no type, or is any object: the type of its property is no class */
function assertTyped(name: string, field: SchemaObject | ReferenceObject): void {
  if (['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'x-any'].some((key) => key in field)) return;
  const types = [(field as SchemaObject).type ?? 'object'].flat();
  if (!types.includes('object')) return;
  throw new Error(
    `openapi.json cannot tell what ${name} is: give it a kind, or the DTO of the object, in its decorator.`,
  );
}

/** The schema of a field as its decorators describe it. */
type DocumentedField = Omit<SchemaObject, 'example'> & {
  example?: unknown;
  'x-any'?: true;
  'x-takes'?: string;
};

/** Uses `examples`, as JSON Schema 2020-12 does, and joins lines of comments. */
function completeField(field: SchemaObject | ReferenceObject): SchemaObject | ReferenceObject {
  if ('$ref' in field) return field;
  const { example, description, ...rest } = field as DocumentedField;
  const { 'x-any': isAny, 'x-takes': takes, ...schema } = rest;
  const sentences = [description?.replaceAll('\n', ' '), takes].filter(Boolean);
  return {
    ...(isAny ? {} : schema),
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Gives the operation's JSON body an example, from the fields that have one. @returns whether it has fields */
export function addExample({ requestBody }: OperationObject, schemas: Schemas): boolean {
  const body = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (!body?.schema || !('$ref' in body.schema)) return true;
  const fields = Object.entries(schemas[body.schema.$ref.split('/').at(-1)!]?.properties ?? {});
  // Others are read-only.
  const examples = fields.flatMap(([name, one]) => ('examples' in one ? [[name, (one.examples as unknown[])[0]]] : []));
  body.example = Object.fromEntries(examples) as object;
  return fields.length > 0;
}

import { alternativesOf } from '../validation/fields/related-fields';
import type { MediaType, Response, Schema } from './open-api';
import type { Operation } from './operations';

const JSON_TYPE = 'application/json';

/** The schema of a DTO: requests end in `Input` and take no unknown fields (contract §1.5). */
export function completeSchema(name: string, schema: Schema, operations: readonly Operation[]): Schema {
  const fields = Object.entries(schema.properties ?? {}).map(([field, one]) => [field, completeField(one)]);
  const completed = { ...schema, properties: Object.fromEntries(fields) as Record<string, Schema> };
  if (!name.endsWith('Input')) return completed;
  const types = operations.flatMap(({ parameterTypes }) => parameterTypes);
  const dto = types.find((type) => typeof type === 'function' && type.name === name);
  const alternatives = dto ? alternativesOf(dto) : [];
  return {
    ...completed,
    ...(alternatives.length > 0 && { oneOf: alternatives.map(isGiven) }),
    additionalProperties: false,
  };
}

/** A field that is null or blank counts as left out (contract §1.5, §1.6). */
function isGiven(name: string): Schema {
  return { required: [name], properties: { [name]: { type: 'string', pattern: '[^\\s\\x85]' } } };
}

/** Uses `examples`, as JSON Schema 2020-12 does, and joins lines of comments. */
function completeField({ example, anyOf, ...schema }: Schema): Schema {
  const description = schema.description?.replaceAll('\n', ' ');
  // A read-only field may have any value: the empty schema says so, but Nest asks for a keyword.
  if (anyOf !== undefined) return { description };
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Gives the schema around a record or a list a name: `OrganizationResult`, `OrganizationList`. */
export function nameWrapper({ content }: Response, schemas: Record<string, Schema>): void {
  const media = content?.[JSON_TYPE];
  const data = media?.schema.properties?.data;
  if (!media || !data) return;
  const name = nameOf(data.items ?? data) + (data.items ? 'List' : 'Result');
  schemas[name] = media.schema;
  media.schema = { $ref: `#/components/schemas/${name}` };
}

/** Gives the operation's JSON body an example, from the fields that have one. */
export function addExample({ object }: Operation, schemas: Readonly<Record<string, Schema>>): void {
  const media: MediaType | undefined = object.requestBody?.content[JSON_TYPE];
  if (!media) return;
  const fields = Object.entries(schemas[nameOf(media.schema)]?.properties ?? {});
  media.example = Object.fromEntries(
    fields.flatMap(([field, { examples }]) => (examples ? [[field, examples[0]]] : [])),
  );
}

function nameOf({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

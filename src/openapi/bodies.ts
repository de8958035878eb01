import { alternativesOf } from '../validation/fields/related-fields';
import type { MediaType, Schema } from './open-api';
import type { Operation } from './operations';

const JSON_TYPE = 'application/json';

/** The name of the schema that the operation's JSON body has, if it takes one. */
export function bodySchemaName({ object }: Operation): string | undefined {
  return object.requestBody?.content[JSON_TYPE]?.schema.$ref?.split('/').at(-1);
}

/** The fields of the operation's body of which exactly one is given (`@ExactlyOneOf`); none for other bodies. */
export function alternativesOfBody(operation: Operation): readonly string[] {
  const name = bodySchemaName(operation);
  const dto = operation.parameterTypes.find((type) => typeof type === 'function' && type.name === name);
  return typeof dto === 'function' ? alternativesOf(dto) : [];
}

/** Gives the operation's JSON body its example: what its fields have as examples, the others are left out. */
export function showExample(operation: Operation, schemas: Readonly<Record<string, Schema>>): void {
  const name = bodySchemaName(operation);
  if (name === undefined) return;
  const media: MediaType = operation.object.requestBody!.content[JSON_TYPE]!;
  const shown = Object.entries(schemas[name]?.properties ?? {}).filter(([, { examples }]) => examples !== undefined);
  media.example = Object.fromEntries(shown.map(([field, { examples }]) => [field, examples![0]]));
}

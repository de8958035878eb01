import type { OpenAPIObject } from '@nestjs/swagger';

// The parts of the document, which @nestjs/swagger does not export by name.

type Components = Required<NonNullable<OpenAPIObject['components']>>;

export type Reference = Extract<Components['schemas'][string], { $ref: string }>;
export type Schemas = Record<string, Exclude<Components['schemas'][string], Reference>>;
export type Schema = Schemas[string];
export type Response = Exclude<Components['responses'][string], Reference>;
export type PathItem = OpenAPIObject['paths'][string];
export type OperationObject = NonNullable<PathItem['get']> & { operationId: string };
/** A parameter of an operation; the document has no references to parameters. */
export type Parameter = Exclude<NonNullable<OperationObject['parameters']>[number], Reference>;

/** The JSON body of a request, unless it has another media type or none. */
export function jsonBodyOf({
  requestBody,
}: OperationObject): { schema?: Schema | Reference; example?: unknown } | undefined {
  return requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
}

/** The name of the schema that a reference leads to. */
export function nameIn(schema: Schema | Reference = {}): string {
  return '$ref' in schema ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : '';
}

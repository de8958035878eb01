import type { OpenAPIObject } from '@nestjs/swagger';

// The parts of the document, which @nestjs/swagger does not export by name.

type Components = Required<NonNullable<OpenAPIObject['components']>>;

export type Reference = Extract<Components['schemas'][string], { $ref: string }>;
export type Schemas = Record<string, Exclude<Components['schemas'][string], Reference>>;
export type Schema = Schemas[string];
export type Response = Exclude<Components['responses'][string], Reference>;
export type PathItem = OpenAPIObject['paths'][string];
export type OperationObject = NonNullable<PathItem['get']> & { operationId: string };

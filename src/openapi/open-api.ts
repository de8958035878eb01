/** The parts of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0) that the document uses. */

/** A JSON Schema 2020-12. */
export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  description?: string;
  examples?: unknown[];
}

/** Refers to a component: `#/components/…`. */
export interface Reference {
  $ref: string;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
}

/** Bodies by media type. */
export type Content = Record<string, MediaType>;

export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Reference>;
  content?: Content;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface OperationObject {
  [extension: `x-${string}`]: unknown;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
}

/** The methods of operations (contract §4). */
export const METHODS = ['get', 'post', 'put', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** The operations of one path. */
export type PathItem = Partial<Record<Method, OperationObject>>;

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description?: string; license?: { name: string; identifier?: string } };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, Header>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, unknown>;
  };
}

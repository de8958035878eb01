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
  default?: unknown;
}

/** Stands for what lies elsewhere in the document: `#/components/…`. */
export interface Reference {
  $ref: string;
}

/** A body in one media type. */
export interface MediaType {
  schema: Schema;
  example?: unknown;
}

/** A header of answers. */
export interface Header {
  description: string;
  required?: boolean;
  schema: Schema;
}

/** The answer with one status. Its headers and bodies are listed by name and by media type. */
export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

/** What a request gives besides its body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

/** One operation, as the swagger plugin begins and `openApiDocument` completes it. */
export interface OperationObject {
  [extension: `x-${string}`]: unknown;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
}

/** The operations of one path. */
export type PathItem = Partial<Record<Method, OperationObject>>;

/** The methods of operations (contract §4). */
export const METHODS = ['get', 'post', 'put', 'delete'] as const;
/** One of them. */
export type Method = (typeof METHODS)[number];

/** The whole document, as far as Roster's has it. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description?: string };
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

import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

/** The records, bodies and errors by name, such as `Schemas['Organization']`. */
export type Schemas = components['schemas'];

/** A successful response. */
export interface Result<Data, Etag extends string | undefined = string | undefined> {
  /** The record, or the list of records; `undefined` for DELETE. */
  data: Data;
  /** The record's ETag, to be sent as `If-Match`; `undefined` where the operation has none. */
  etag: Etag;
  response: Response;
}

export type Method = 'get' | 'post' | 'put' | 'delete';
type PathWith<M extends Method> = { [P in keyof paths]: paths[P][M] extends object ? P : never }[keyof paths];
export type Init<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M>;
/** A call needs no second argument if nothing in it is required. */
export type Arguments<I> = undefined extends I ? [init?: I] : [init: I];
/** The body of a success. `I` says how it is read (`parseAs`). */
type Body<Operation, I> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, I, `${string}/${string}`>['data']>
    : never;
/** Lists, POST and PUT wrap what they return. */
type Unwrapped<B> = [B] extends [never] ? undefined : B extends { status: 'success'; data: infer Data } ? Data : B;

type EtagOf<Operation> = Operation extends { responses: { 200: { headers: { ETag: string } } } }
  ? string
  : Operation extends { responses: { 201: { headers: { ETag: string } } } }
    ? string
    : undefined;
/** An update without an ETag has to say so: with `*`. */
type Conditional<M> = M extends 'put' ? { params: { header: { 'If-Match': string } } } : unknown;

export type Read = <P extends PathWith<'get'>, I extends Init<P, 'get'>>(
  path: P,
  ...init: Arguments<I>
) => Promise<Result<Unwrapped<Body<paths[P]['get'], I>>, EtagOf<paths[P]['get']>>>;
export type Write<M extends Method> = <P extends PathWith<M>>(
  path: P,
  ...init: Arguments<Init<P, M> & Conditional<M>>
) => Promise<Result<Unwrapped<Body<paths[P][M], unknown>>, EtagOf<paths[P][M]>>>;

/** Paths whose GET returns a list. */
export type ListPath = {
  [P in PathWith<'get'>]: Unwrapped<Body<paths[P]['get'], unknown>> extends readonly unknown[] ? P : never;
}[PathWith<'get'>];
export type Item<P extends ListPath> =
  Unwrapped<Body<paths[P]['get'], unknown>> extends readonly (infer One)[] ? One : never;

/** The calls of a client, each a method and a path. */
export interface Calls {
  readonly get: Read;
  readonly post: Write<'post'>;
  readonly put: Write<'put'>;
}

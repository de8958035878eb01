import type { FastifyContextConfig } from 'fastify';

/** The key of the metadata that `@Returns` sets: a `ResponsePlan`. */
export const RESPONSE_PLAN = 'roster:response';

/** How the result of a handler becomes a response (contract §2). */
export interface ResponsePlan {
  readonly kind: 'one' | 'list' | 'bytes' | 'created' | 'updated' | 'deleted';
  /** The response's DTO; none where there is no record to show. */
  readonly dto?: new () => object;
  /** Makes the ETag from the response's record; by default it comes from the stored record's `revision`. */
  readonly etag?: (response: object) => string;
  /** The path of a created record before its id, without BASE_PATH; by default the request's path, `false` for none. */
  readonly location?: string | false;
}

/** The plan of a response that shows records. */
export type RecordPlan = ResponsePlan & Required<Pick<ResponsePlan, 'dto'>>;

/** Fastify's `config` of a route. */
export interface RouteSettings extends Partial<FastifyContextConfig> {
  /** Set by `@Returns` where the response shows records. */
  readonly response?: RecordPlan;
  /** Set by `@NoStore`. */
  readonly noStore?: boolean;
}

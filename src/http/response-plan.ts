import type { FastifyContextConfig } from 'fastify';

/** Describes the response that shows the result of a handler (contract §2). */
export interface ResponsePlan {
  readonly kind: 'one' | 'list' | 'created' | 'updated';
  /** The DTO of the records that the response shows. */
  readonly dto: new () => object;
  /** Makes the ETag from the response's record; by default it comes from the stored record's `revision`. */
  readonly etag?: (response: object) => string;
  /** The path of a created record before its id, without BASE_PATH; by default the request's path, `false` for none. */
  readonly location?: string | false;
}

/** Fastify's `config` of a route, set by `@Returns`. */
export interface RouteSettings extends Partial<FastifyContextConfig> {
  /** Set where the response shows records. */
  readonly response?: ResponsePlan;
  /** Gives all responses at and below the path `Cache-Control: no-store`, errors too. */
  readonly noStore?: boolean;
}

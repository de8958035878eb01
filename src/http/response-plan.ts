/** The key of the metadata that `@Answers` sets: an `AnswerPlan`. */
export const RESPONSE_PLAN = 'roster:answer';

/** How the result of a handler becomes an answer (contract §2). */
export interface ResponsePlan {
  readonly kind: 'one' | 'list' | 'bytes' | 'created' | 'updated' | 'deleted';
  /** Makes the answer's record of the stored one. */
  readonly show: (record: never) => object;
  /** The ETag of the answer, from what `show` made; unless given, from the record's `revision`, if it has one. */
  readonly etag?: (shown: object) => string;
  /** Where a created record is read: the path before its id, without BASE_PATH; unless given, the path of the request. */
  readonly location?: string | false;
}

import { createHash } from 'node:crypto';
import { apiError } from '../errors/api-error';
import { responseVersion } from './response-fields';

/** The strong ETag of a record: the version of the responses and the record's revision, not a time (contract §2). */
export function etagOf(record: { readonly revision: number }): string {
  return `"${responseVersion()}-${record.revision}"`;
}

/** The strong ETag of a response that combines several records: a hash of its body (contract §2, Manager). */
export function etagOfBody(body: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
}

/** The next entity tag of a list (RFC 9110 §8.8.3). */
const NEXT_TAG = /[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;

/**
 * Checks whether an If-Match header allows changing a record with this ETag (RFC 9110 §13.1.1, strong comparison). A weak or
 * malformed tag matches nothing.
 * @param header the header's value; undefined if it was not sent, which allows every change
 */
export function ifMatch(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === '*' || tagsOf(header).includes(etag);
}

/** The If-Match header of a request, if it has one. */
export class Precondition {
  constructor(private readonly header: string | undefined) {}

  /** True if the request has one. */
  get isGiven(): boolean {
    return this.header !== undefined;
  }

  /**
   * @param current the record, or its ETag where that is not made from a revision
   * @throws ApiError 412 unless the record has the ETag that the request names (contract §2)
   */
  require(current: { readonly revision: number } | string): void {
    const etag = typeof current === 'string' ? current : etagOf(current);
    if (!ifMatch(this.header, etag)) throw apiError('preconditionFailed');
  }
}

/** Checks whether an If-None-Match header contains this ETag (RFC 9110 §13.1.2, weak comparison), so the response is a 304. */
export function ifNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || tagsOf(header).some((tag) => tag === etag || tag === `W/${etag}`);
}

/** The tags of a list, up to the first malformed one. */
function tagsOf(header: string): string[] {
  return Array.from(header.matchAll(NEXT_TAG), ([, tag = '']) => tag);
}

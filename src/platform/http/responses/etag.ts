import { createHash } from 'node:crypto';
import { apiError } from '../../base/errors/api-error';
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

const NO_ETAG = 'If-Match must be a strong ETag in double quotes, as the ETag header shows it.';

/** The If-Match header of a request, if it has one (RFC 9110 §13.1.1, strong comparison). */
export class Precondition {
  constructor(private readonly header: string | undefined) {}

  get isGiven(): boolean {
    return this.header !== undefined;
  }

  /** Checks whether the header allows changing this record, or the one with this ETag (contract §2). */
  allows(current: { readonly revision: number } | string): boolean {
    const etag = typeof current === 'string' ? current : etagOf(current);
    return this.header === undefined || this.header.trim() === '*' || tagsOf(this.header).includes(etag);
  }

  /** @throws ApiError 412 unless the header allows the change */
  require(current: { readonly revision: number } | string): void {
    if (this.allows(current)) return;
    const isStrong = tagsOf(this.header!).some((tag) => tag.startsWith('"'));
    throw apiError('preconditionFailed', isStrong ? undefined : NO_ETAG);
  }
}

/** Checks whether an If-None-Match header contains this ETag (RFC 9110 §13.1.2, weak comparison). */
export function ifNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || tagsOf(header).some((tag) => tag === etag || tag === `W/${etag}`);
}

/** The tags of a list, up to the first malformed one. */
function tagsOf(header: string): string[] {
  return Array.from(header.matchAll(NEXT_TAG), ([, tag = '']) => tag);
}

import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../base/errors/api-error';
import { responseVersion } from './response-fields';

/** The strong ETag of a record: the version of the responses and the record's revision, not a time (contract §2). */
export function etagOf(record: { readonly revision: number }): string {
  return `"${responseVersion()}-${record.revision}"`;
}

/**
 * The strong ETag of a record, or of what a response shows where that is not all of a stored record (contract §2).
 * @param response makes the response, where the record has no revision
 */
export function etagOfResponse({ revision }: { readonly revision?: number }, response: () => object): string {
  return revision === undefined ? etagOfBody(response()) : etagOf({ revision });
}

/** The strong ETag of a response that combines several records, or shows a part of one: a hash of its body (contract §2). */
export function etagOfBody(body: unknown): string {
  return etagOfText(JSON.stringify(body));
}

/** The strong ETag of a text (contract §2, lists). */
export function etagOfText(text: string): string {
  return `"${hash('sha256', text, 'base64url')}"`;
}

/** A `*` outside of tags. */
const ANY = /(?:^|,)[ \t]*\*[ \t]*(?:,|$)/;

/** The next entity tag of a list (RFC 9110 §8.8.3). */
const NEXT_TAG = /[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/gy;

const NO_ETAG = 'If-Match must be a strong ETag in double quotes, as the ETag header shows it.';
const WEAK_ETAG =
  'If-Match has a weak ETag (W/), which never matches. Roster sends strong ones: a proxy in between that compresses ' +
  'responses has changed it, and its operator can switch that off.';
const HAS_ETAG = "If-None-Match matches the record's ETag.";

/** The revision of a record that has an ETag, or its ETag. */
type Current = { readonly revision: number } | string;

/** The headers `If-Match` and `If-None-Match` of a request, which are evaluated in this order (RFC 9110 §13.2.2). */
export class Precondition {
  private readonly match: string | undefined;
  private readonly noneMatch: string | undefined;

  constructor(headers: Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'> = {}) {
    this.match = headers['if-match'];
    this.noneMatch = headers['if-none-match'];
  }

  get isGiven(): boolean {
    return this.match !== undefined || this.noneMatch !== undefined;
  }

  /** Checks whether the headers allow changing this record, or the one with this ETag (contract §2). */
  allows(current: Current): boolean {
    return this.isMatched(current) && !this.isKnown(current);
  }

  /** @throws ApiError 412 unless the headers allow the change */
  require(current: Current): void {
    this.requireMatch(current);
    if (this.isKnown(current)) throw apiError('preconditionFailed', HAS_ETAG);
  }

  /** For a GET: @throws ApiError 412 unless `If-Match` names the record's ETag, or is not given (strong comparison) */
  requireMatch(current: Current): void {
    if (this.isMatched(current)) return;
    const tags = tagsOf(this.match!);
    if (tags.some((tag) => tag.startsWith('"'))) throw apiError('preconditionFailed');
    throw apiError('preconditionFailed', tags.length > 0 ? WEAK_ETAG : NO_ETAG);
  }

  /** Whether `If-None-Match` names the record's ETag: a GET is 304. */
  isKnown(current: Current): boolean {
    return ifNoneMatch(this.noneMatch, tagOf(current));
  }

  private isMatched(current: Current): boolean {
    return this.match === undefined || this.match.trim() === '*' || tagsOf(this.match).includes(tagOf(current));
  }
}

function tagOf(current: Current): string {
  return typeof current === 'string' ? current : etagOf(current);
}

/** Checks whether an If-None-Match header contains this ETag (RFC 9110 §13.1.2, weak comparison). */
export function ifNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  // Also where it stands in a list, which has no `*`: a write must not happen because a part is malformed.
  return ANY.test(header.replace(/"[^"]*"/g, '')) || tagsOf(header).some((tag) => tag === etag || tag === `W/${etag}`);
}

/** The tags of a list, up to the first malformed one. */
function tagsOf(header: string): string[] {
  return Array.from(header.matchAll(NEXT_TAG), ([, tag = '']) => tag);
}

import { errorJson } from './error-json';
import { ApiError } from './api-error';
import { FieldError, InvalidContentError } from './field-error';

/** The media type of every failure body (contract §2). */
const FAILURE_TYPE = 'application/json; charset=utf-8';

/** Most items that the validation form shows (contract §2). */
export const MAX_ITEMS = 50;
/** Longest title of an item, in code points (contract §2): a client may choose the names of unknown fields. */
export const MAX_TITLE = 100;
/** Longest reason, in code points: texts can hold names of records, and names are 255 each. */
const MAX_DETAIL = 500;
/** Longest message, in code points; 2,000 of them are 12 KiB at most, escaped. */
const MAX_MESSAGE = 2000;
/** Largest list of items, in bytes: it keeps the answer under 16 KiB even where each title is 100 escaped characters. */
const MAX_LIST_BYTES = 15 * 1024;

/** Seconds to wait where the failure does not say (contract §2: 429 and 503 carry Retry-After). */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

/**
 * The body of a failure (contract §2): the fail envelope, or the validation form for InvalidContent.
 * @returns JSON text of at most 16 KiB
 */
export function errorBody(failure: ApiError): string {
  if (failure instanceof InvalidContentError) {
    return errorJson({ status: 'fail', code: failure.code, message: shownItems(failure.fieldErrors) });
  }
  return errorJson({ status: 'fail', message: cut(failure.message, MAX_MESSAGE), code: failure.code });
}

/**
 * The headers that belong to a failure whoever writes it: its own, its media type, and those that its status asks for
 * (contract §2; RFC 9110 §11.6.1 for 401, §10.2.3 for Retry-After).
 */
export function errorHeaders(failure: ApiError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': FAILURE_TYPE };
  const retryAfter = RETRY_AFTER[failure.status];
  if (retryAfter !== undefined) headers['retry-after'] = retryAfter;
  if (failure.status === 401) headers['www-authenticate'] = 'Bearer';
  for (const name in failure.headers) headers[name.toLowerCase()] = failure.headers[name]!;
  return headers;
}

/** The first items that fit; the last detail ends with the number left out (contract §2, Field errors). */
function shownItems(found: readonly FieldError[]): FieldError[] {
  const items: FieldError[] = [];
  let bytes = 0;
  for (const one of found.slice(0, MAX_ITEMS)) {
    const item = { code: one.code, title: cut(one.title, MAX_TITLE), detail: cut(one.detail, MAX_DETAIL) };
    bytes += Buffer.byteLength(errorJson(item)) + 1;
    if (bytes > MAX_LIST_BYTES) break;
    items.push(item);
  }
  const left = found.length - items.length;
  const last = items.at(-1);
  if (left > 0 && last) last.detail += `; more faults left out: ${left}`;
  return items;
}

/** At most `length` code points of the text. Half a surrogate pair, which UTF-8 cannot carry, is replaced. */
function cut(text: string, length: number): string {
  let end = 0;
  for (let points = 0; points < length && end < text.length; points++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end).toWellFormed();
}

import { ApiError } from './api-error';
import { FieldError, InvalidContentError } from './field-error';

/** The media type of every error body (contract §2). */
const MEDIA_TYPE = 'application/json; charset=utf-8';

/** The most field errors that a body shows (contract §2). */
export const MAX_ITEMS = 50;
/** The longest title of a field error, in code points (contract §2): clients choose the names of unknown fields. */
export const MAX_TITLE = 100;
/** The longest detail, in code points: it may contain names of records, which have up to 255. */
const MAX_DETAIL = 500;
/** The longest message, in code points: escaped, at most 12 KiB. */
const MAX_MESSAGE = 2000;
/** The largest list of field errors, in bytes. It keeps the body under 16 KiB, whatever has to be escaped. */
const MAX_LIST_BYTES = 15 * 1024;

/** Seconds until the next attempt, unless the error says otherwise (contract §2: 429 and 503 carry Retry-After). */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '60', 503: '5' };

/** Characters that could be read as markup, or end a line of a script, if an error is pasted into a page. */
const UNSAFE = /[<>&\u2028\u2029]/g;

/**
 * The body of an error (contract §2), with field errors for InvalidContentError.
 * @returns JSON text of at most 16 KiB
 */
export function errorBody(error: ApiError): string {
  if (error instanceof InvalidContentError) {
    return safeJson({ status: 'fail', code: error.code, message: shownItems(error.fieldErrors) });
  }
  return safeJson({ status: 'fail', message: cut(error.message, MAX_MESSAGE), code: error.code });
}

/**
 * The headers of an error: its own, its media type, and those that its status requires (contract §2; RFC 9110 §11.6.1
 * for 401, §10.2.3 for Retry-After).
 */
export function errorHeaders(error: ApiError): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': MEDIA_TYPE };
  const retryAfter = RETRY_AFTER[error.status];
  if (retryAfter !== undefined) headers['retry-after'] = retryAfter;
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  for (const name in error.headers) headers[name.toLowerCase()] = error.headers[name]!;
  return headers;
}

/** The first field errors that fit; the last detail ends with the number left out (contract §2). */
function shownItems(fieldErrors: readonly FieldError[]): FieldError[] {
  const items: FieldError[] = [];
  let bytes = 0;
  for (const { code, title, detail } of fieldErrors.slice(0, MAX_ITEMS)) {
    const item = { code, title: cut(title, MAX_TITLE), detail: cut(detail, MAX_DETAIL) };
    bytes += Buffer.byteLength(safeJson(item)) + 1;
    if (bytes > MAX_LIST_BYTES) break;
    items.push(item);
  }
  const left = fieldErrors.length - items.length;
  const last = items.at(-1);
  if (left > 0 && last) last.detail += `; more field errors left out: ${left}`;
  return items;
}

/** At most `length` code points of the text, with lone surrogates, which UTF-8 cannot encode, replaced. */
function cut(text: string, length: number): string {
  let end = 0;
  for (let points = 0; points < length && end < text.length; points++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end).toWellFormed();
}

/** JSON in which nothing reads as HTML: errors may repeat names that the client chose. */
function safeJson(value: object): string {
  return JSON.stringify(value).replace(UNSAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

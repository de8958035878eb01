import type { FastifyReply } from 'fastify';
import { ApiError } from '../../base/errors/api-error';
import type { Settings } from '../../base/settings/settings';
import { FieldError, InvalidContentError } from '../../base/errors/field-error';

/** The most field errors in a body (contract §2). */
export const MAX_ITEMS = 50;
/** The longest title of a field error, in code points (contract §2). */
export const MAX_TITLE = 100;
const MAX_DETAIL = 500;
const MAX_MESSAGE = 2000;

/** Headers that a status requires (contract §2), unless the error has its own: `Retry-After` is in seconds. */
const STATUS_HEADERS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '5' },
};

/** Where the page of the error codes is, or nothing with `DOCS=off`. */
export function errorsPath({ basePath, docs }: Settings): string | undefined {
  return docs ? `${basePath}/docs/errors` : undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The path that `Link` leads to in errors. */
    errorsPath: string | undefined;
  }

  interface FastifyReply {
    /** The code of the error in the response, for the log and the metrics. */
    errorCode?: number;
  }
}

/** @param basePath comes before the path of a `Location` */
export function sendError(reply: FastifyReply, error: ApiError, basePath = ''): void {
  reply.errorCode = error.code;
  const { location, ...headers } = errorHeaders(error, reply.server.errorsPath);
  if (location !== undefined) headers.location = basePath + location;
  reply.status(error.status).headers(headers).send(errorBody(error));
}

/** The body of an error (contract §2): JSON text, with field errors for InvalidContentError. */
export function errorBody(error: ApiError): string {
  if (error instanceof InvalidContentError) {
    return safeJson({ status: 'fail', code: error.code, message: listedErrors(error.fieldErrors) });
  }
  return safeJson({ status: 'fail', message: truncate(error.message, MAX_MESSAGE), code: error.code });
}

/** The headers of an error: its own, its media type, those that its status requires, and `Link`, if there is a page. */
export function errorHeaders({ status, code, headers }: ApiError, page: string | undefined): Record<string, string> {
  const link: Record<string, string> = page ? { link: `<${page}#${code}>; rel="help"` } : {};
  return { 'content-type': 'application/json; charset=utf-8', ...link, ...STATUS_HEADERS[status], ...headers };
}

/** The first `length` code points of a text, with lone surrogates, which UTF-8 cannot encode, replaced. */
export function truncate(text: string, length: number): string {
  // A code point has one or two UTF-16 units.
  if (text.length <= length) return text.toWellFormed();
  const characters = Array.from(text.slice(0, 2 * length)).slice(0, length);
  return characters.join('').toWellFormed();
}

/** The first field errors; the last detail ends with the number left out (contract §2). */
function listedErrors(fieldErrors: readonly FieldError[]): FieldError[] {
  const items = fieldErrors.slice(0, MAX_ITEMS).map(({ code, title, detail }) => {
    return { code, title: truncate(title, MAX_TITLE), detail: truncate(detail, MAX_DETAIL) };
  });
  const left = fieldErrors.length - items.length;
  const last = items.at(-1);
  if (left > 0 && last) last.detail += `; more field errors left out: ${left}`;
  return items;
}

/** JSON without characters that could be read as markup, or end a line of a script, if an error is pasted into a page. */
function safeJson(value: object): string {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escape);
}

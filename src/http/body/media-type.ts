import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../errors/api-error';

/** `application/json`, alone or with the one parameter `charset=utf-8`; names and value in any case (RFC 9110 §8.3). */
const JSON_IN_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)*$/i;

/**
 * A body is JSON in UTF-8 and not compressed (contract §1.5).
 * @throws Failure `unsupportedMediaType`
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  requireMediaType(headers, JSON_IN_UTF8);
}

/**
 * A body has a Content-Type of this form and is not compressed. That there is none at all is for its reader to judge.
 * @throws Failure `unsupportedMediaType`
 */
export function requireMediaType(headers: IncomingHttpHeaders, form: RegExp): void {
  if (isCompressed(headers)) throw apiError('unsupportedMediaType');
  const type = headers['content-type'];
  if (type === undefined && isEmpty(headers)) return;
  if (type === undefined || !form.test(type)) throw apiError('unsupportedMediaType');
}

/** By its sender, or only for the transfer: of those codings the parser undoes `chunked` alone (RFC 9112 §7). */
function isCompressed(headers: IncomingHttpHeaders): boolean {
  const codings = [...listed(headers['content-encoding']), ...listed(headers['transfer-encoding'], 'chunked')];
  return codings.some((coding) => coding !== 'identity');
}

/** The members of a header's list in lower case, without empty ones (RFC 9110 §5.6.1) and without `undone`. */
function listed(header = '', undone = ''): string[] {
  const members = header.toLowerCase().split(',');
  return members.map((member) => member.trim()).filter((member) => member !== '' && member !== undone);
}

/** No body at all has no media type to be wrong: that it is no JSON object, or no form, is what is wrong with it. */
function isEmpty(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

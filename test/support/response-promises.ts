import { apiErrors } from '../../src/errors/api-error';
import { fieldErrors } from '../../src/errors/field-error';
import type { ApiResponse, Method } from './client';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Operations whose responses hold secrets or are not JSON (contract §2, §4). */
const SECRET_PATH = /^\/(?:sessions|tokens)(?:\/|$)/;
const FILE_PATH = /^\/files\/[^/]+$/;
/** Paths that stand outside the contract (contract §4, end). */
export const OUTSIDE = /^\/(?:$|docs|openapi\.json$|health\/|metrics$)/;

/** Headers that responses with a status carry (contract §2). */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * What a response breaks of what contract §2 promises of every one.
 *
 * @param path the request's, without query string and base path
 * @returns a line for each broken promise
 */
export function* brokenPromises(method: Method, path: string, response: ApiResponse): Generator<string> {
  yield* brokenHeaders(path, response);
  if (OUTSIDE.test(path) && response.status < 400) return;
  if (response.status >= 300 && response.status !== 304 && response.status < 400) yield 'no operation redirects';
  if (response.status >= 400) return yield* brokenError(method, response);
  yield* brokenSuccess(method, path, response);
}

function* brokenHeaders(path: string, { status, headers }: ApiResponse): Generator<string> {
  if (!/^[\w.-]{8,}$/.test(headers['x-request-id'] ?? '')) yield 'it has no X-Request-Id';
  if (headers['x-content-type-options'] !== 'nosniff') yield 'it has no X-Content-Type-Options: nosniff';
  if (headers['content-security-policy'] === undefined) yield 'it has no Content-Security-Policy';
  for (const name of ['server', 'x-powered-by']) if (headers[name] !== undefined) yield `its ${name} names software`;
  const caching = headers['cache-control'] ?? '';
  const mayStay = OUTSIDE.test(path) || (FILE_PATH.test(path) && status < 400);
  const expected = mayStay ? /./ : SECRET_PATH.test(path) ? /^no-store$/ : /^private, no-cache$/;
  if (!expected.test(caching)) yield `its Cache-Control is "${caching}"`;
  const besides = BY_STATUS[status];
  if (besides !== undefined && headers[besides] === undefined) yield `it has no ${besides}`;
}

function* brokenError(method: Method, { status, headers, body, text }: ApiResponse): Generator<string> {
  if (headers['content-type'] !== JSON_TYPE) yield `its Content-Type is ${headers['content-type']}`;
  if (method === 'HEAD') return;
  if (Buffer.byteLength(text) > 16 * 1024) yield 'it is larger than 16 KiB';
  if (body?.status !== 'fail') return yield 'it is no fail envelope';
  const rows = Object.values(apiErrors).filter((row) => row.code === body.code && row.status === status);
  if (rows.length === 0) yield `code ${body.code} does not belong to status ${status}`;
  if (body.code === apiErrors.invalidContent.code) yield* brokenItems(body);
  else if (typeof body.message !== 'string' || body.message === '') yield 'its message is no text';
  if (Object.keys(body).sort().join() !== 'code,message,status') yield 'it has other members than an envelope';
}

function* brokenItems({ message }: { message: unknown }): Generator<string> {
  if (!Array.isArray(message) || message.length === 0 || message.length > 50) return yield 'it names no field errors';
  const codes = new Set<unknown>(Object.values(fieldErrors).map(({ code }) => code));
  for (const item of message) {
    if (!codes.has(item.code)) yield `${item.code} is no code of a field error`;
    if (Object.keys(item).join() !== 'code,title,detail') yield 'a field error has other members';
  }
}

function* brokenSuccess(method: Method, path: string, response: ApiResponse): Generator<string> {
  const { status, headers, text, body } = response;
  if (status === 204 || status === 304 || method === 'HEAD') {
    if (text !== '') yield 'it has a body';
    return;
  }
  if (FILE_PATH.test(path)) return;
  if (headers['content-type'] !== JSON_TYPE) yield `its Content-Type is ${headers['content-type']}`;
  const isWrapped = method !== 'GET' || /^\/(?:\w+|\w+\/[^/]+\/\w+)$/.test(path);
  if (isWrapped && (body.status !== 'success' || Object.keys(body).join() !== 'status,data')) {
    yield 'it does not wrap its data';
  }
  yield* wrongDates(body);
}

/** Dates go out in UTC with milliseconds (contract §1.6). */
function* wrongDates(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name.endsWith('At') && !(typeof member === 'string' && ISO.test(member))) yield `${name} is ${String(member)}`;
    yield* wrongDates(member);
  }
}

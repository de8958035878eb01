import { fieldErrors } from '../../src/platform/base/errors/field-error';
import type { ApiResponse, Method } from './client';
import type { Json } from './json';

/** Paths that are not part of the contract (§9.4). */
export const OTHER_PATHS = /^\/($|docs|catalog|openapi\.json$|health\/|metrics$)/;

const SECRET =
  /^\/(tokens|links\/current|users\/[^/]+\/password-links|(sessions|users\/[^/]+\/api-keys|organizations\/[^/]+\/invitations)(\/[^/]+)?)$/;
const CODES = new Set<unknown>(Object.values(fieldErrors).map(({ code }) => code));

/** The promises of every response (contract §2) that this one breaks. `path` is without the base path. */
export function brokenPromises(method: Method, path: string, response: ApiResponse): string[] {
  const { status, headers, body, bytes } = response;
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  const promises: [isKept: boolean, promise: string][] = [
    ...ofHeaders(method, path, response),
    [!isEmpty || bytes.length === 0, 'HEAD, 204 and 304 have no body'],
    [status !== 204 || !Number(headers['content-length'] ?? 0), '204 announces no body'],
    [
      status >= 400 || method !== 'POST' || !headers.location || headers.location.endsWith(`/${body.data._id}`),
      'Location names the new record',
    ],
    ...(status >= 400 ? ofErrors(method, response) : []),
  ];
  return promises.filter(([isKept]) => !isKept).map(([, promise]) => promise);
}

function* ofHeaders(method: Method, path: string, { status, headers }: ApiResponse): Generator<[boolean, string]> {
  const type = headers['content-type'] ?? '';
  const isJson = status >= 400 || type.startsWith('application/json');
  yield [/^[\w.-]{8,}$/.test(headers['x-request-id'] ?? ''), 'every response has X-Request-Id'];
  yield [headers['content-security-policy'] !== undefined, 'every response has Content-Security-Policy'];
  yield [headers['x-content-type-options'] === 'nosniff', 'every response has nosniff'];
  yield [!headers.server && !headers['x-powered-by'], "no header names the server's software"];
  yield [!isJson || type === 'application/json; charset=utf-8', 'every error and all JSON is JSON in UTF-8'];
  // A path with a slash at its end is one of no operation, and the router may find one all the same.
  if (OTHER_PATHS.test(path) || path.endsWith('/')) return;
  yield [status < 300 || status === 304 || status >= 400, 'no operation redirects'];
  const isSecret = SECRET.test(path) && !['OPTIONS', 'PATCH'].includes(method) && status !== 405;
  const expected = isSecret ? 'no-store' : 'private, no-cache, no-transform';
  yield [headers['cache-control'] === expected, `Cache-Control is ${expected}`];
}

function* ofErrors(method: Method, { status, headers, body, bytes }: ApiResponse): Generator<[boolean, string]> {
  yield [status !== 401 || /^Bearer\b/.test(headers['www-authenticate'] ?? ''), '401 has WWW-Authenticate: Bearer'];
  yield [status !== 405 || /OPTIONS/.test(headers.allow ?? ''), '405 has Allow'];
  yield [![429, 503].includes(status) || /^\d+$/.test(headers['retry-after'] ?? ''), '429 and 503 have Retry-After'];
  if (method === 'HEAD') return;
  yield [bytes.length <= 64 * 1024, 'an error has at most 64 KiB'];
  yield [hasMembers(body, 'code', 'message', 'status'), 'an error has exactly status, message and code'];
  yield [body?.status === 'fail', 'the status of an error is "fail"'];
  const { message } = body ?? {};
  if (body?.code !== 1024) return yield [isReadable(message), 'message is a readable text'];
  yield [Array.isArray(message) && message.length >= 1 && message.length <= 50, '1 to 50 field errors'];
  for (const error of message as Json[]) {
    yield [hasMembers(error, 'code', 'detail', 'title'), 'a field error has exactly code, title and detail'];
    yield [CODES.has(error.code), `${error.code} is a code of a field error`];
    yield [[...(error.title as string)].length <= 100, 'titles are cut at 100 characters'];
    yield [isReadable(error.detail), 'detail gives the reason'];
  }
  // Of a list, the item is named.
  const fields = (message as Json[]).map(({ title }) => (title as string).replace(/\.\d+$/, ''));
  yield [new Set(fields).size === fields.length, 'one field error per field'];
}

const isReadable = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const hasMembers = (value: object | undefined, ...names: string[]): boolean =>
  Object.keys(value ?? {})
    .sort()
    .join() === names.join();

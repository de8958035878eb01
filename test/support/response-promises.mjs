import assert from 'node:assert/strict';

/**
 * Promises of every response (contract §2), for the client of all tests. No code of `src`. What a
 * response has for its operation is in openapi.json (openapi-check.ts).
 */

const JSON_TYPE = 'application/json; charset=utf-8';
/** Paths that are not part of the contract (§9.4). */
export const OTHER_PATHS = /^\/($|docs|openapi\.json$|health\/|metrics$)/;

/**
 * @param {import('./exchange.mjs').Exchange & { method: string; path: string }} response `path` without the base path
 * @throws {assert.AssertionError} naming the promise that the response breaks
 */
export function checkResponse(response) {
  const { method, path, status, headers, body, bytes } = response;
  checkHeaders(response, path.split('?')[0]);
  if (method === 'HEAD' || status === 204 || status === 304) assert.equal(bytes.length, 0, 'HEAD, 204, 304: no body');
  if (status === 204) assert.ok(!Number(headers['content-length'] ?? 0), '204 announces no body');
  if (status >= 400) checkError(response);
  else if (method === 'POST' && headers.location)
    assert.ok(headers.location.endsWith(`/${body.data._id}`), 'Location names the new record');
}

function checkHeaders({ method, status, headers }, route) {
  assert.match(headers['x-request-id'] ?? '', /^[\w.-]{8,}$/, 'every response has X-Request-Id');
  assert.ok(headers['content-security-policy'], 'every response has Content-Security-Policy');
  assert.equal(headers['x-content-type-options'], 'nosniff', 'every response has nosniff');
  assert.ok(!headers.server && !headers['x-powered-by'], "no header names the server's software");
  const type = headers['content-type'] ?? '';
  if (status >= 400 || type.startsWith('application/json'))
    assert.equal(type, JSON_TYPE, 'every error and all JSON is JSON in UTF-8');
  // A path with a slash at its end is one of no operation, and the router may find one all the same.
  if (OTHER_PATHS.test(route) || route.endsWith('/')) return;
  assert.ok(status < 300 || status === 304 || status >= 400, 'no operation redirects');
  const isSecret = /^\/(tokens|(sessions|users\/[^/]+\/api-keys)(\/[^/]+)?)$/.test(route);
  const expected =
    isSecret && !['OPTIONS', 'PATCH'].includes(method) && status !== 405
      ? /^no-store$/
      : /^private, no-cache, no-transform$/;
  assert.match(headers['cache-control'] ?? '', expected, `Cache-Control of ${route}`);
}

function checkError({ status, headers, body, bytes, method }) {
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/, '401 has WWW-Authenticate: Bearer');
  if (status === 405) assert.match(headers.allow ?? '', /OPTIONS/, '405 has Allow');
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/, 'has Retry-After');
  if (method === 'HEAD') return;
  assert.ok(bytes.length <= 16 * 1024, 'an error has at most 16 KiB');
  checkMembers(body, ['status', 'message', 'code'], 'an error');
  assert.equal(body.status, 'fail', 'the status of an error is "fail"');
  if (body.code === 1024) checkFieldErrors(body.message);
  else assert.ok(isReadable(body.message), 'message is a readable text');
}

function checkFieldErrors(errors) {
  assert.ok(Array.isArray(errors) && errors.length >= 1 && errors.length <= 50, '1 to 50 field errors');
  for (const error of errors) {
    checkMembers(error, ['code', 'title', 'detail'], 'a field error');
    assert.ok(Number.isInteger(error.code), 'code is an integer');
    assert.ok([...error.title].length <= 100, 'titles are cut at 100 characters');
    assert.ok(isReadable(error.detail), 'detail gives the reason');
  }
  // Of a list, the item is named; of an object, each field may have an error.
  const fields = errors.map(({ title }) => title.replace(/\.\d+$/, ''));
  assert.equal(new Set(fields).size, fields.length, 'one field error per field');
}

const isReadable = (value) => typeof value === 'string' && value.trim() !== '';

const checkMembers = (value, names, what) =>
  assert.deepEqual(Object.keys(value ?? {}).sort(), names.toSorted(), `${what} has exactly ${names}`);

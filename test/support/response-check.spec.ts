import type { ApiResponse, ClientRequest } from './client';
import { ResponseCheck } from './response-check';

/** What every test relies on without saying so: a response that breaks a promise fails the test. */

const GET: ClientRequest = { method: 'GET', path: '/apis/1' };
const PUT: ClientRequest = { method: 'PUT', path: '/apis/1' };
const DELETE: ClientRequest = { method: 'DELETE', path: '/apis/1' };
const POST: ClientRequest = { method: 'POST', path: '/organizations' };
const LOGIN: ClientRequest = { method: 'POST', path: '/sessions', payload: { password: 'a secret password' } };

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': '3f0d8f1e-7f0e-4a37-9a57-0c7c1a2b3c4d',
};

function response(status: number, body?: unknown, more: ApiResponse['headers'] = {}): ApiResponse {
  const text = body === undefined ? '' : JSON.stringify(body);
  return { status, headers: { ...headers, ...more }, body, text, bytes: Buffer.from(text) };
}

const fail = (code: number, message: unknown = 'why'): object => ({ status: 'fail', message, code });
const invalid = (code: number): object => fail(1024, [{ code, title: 'name', detail: 'is required' }]);

it.each<[string, ClientRequest, ApiResponse, string]>([
  // Promises of every response.
  ['a missing request id', GET, response(200, {}, { 'x-request-id': undefined }), 'X-Request-Id'],
  ['a missing policy', GET, response(200, {}, { 'content-security-policy': undefined }), 'Content-Security-Policy'],
  ['sniffing', GET, response(200, {}, { 'x-content-type-options': undefined }), 'nosniff'],
  ['public caching', GET, response(200, {}, { 'cache-control': 'public' }), 'Cache-Control'],
  ['tokens that may be kept', LOGIN, response(401, fail(1103), { 'www-authenticate': 'Bearer' }), 'Cache-Control'],
  ['the name of software', GET, response(200, {}, { server: 'x' }), 'software'],
  ['a redirect', GET, response(302, {}), 'redirects'],
  ['a 401 without a challenge', GET, response(401, fail(1100)), 'WWW-Authenticate'],
  ['a 405 without Allow', GET, response(405, fail(1400)), 'Allow'],
  ['a 503 without Retry-After', GET, response(503, fail(1901)), 'Retry-After'],
  ['another media type', GET, response(404, fail(1303), { 'content-type': 'text/html' }), 'JSON in UTF-8'],
  ['another wrapper', GET, response(404, { message: 'no' }), 'an error has exactly'],
  ['an error of 20 KiB', GET, response(404, fail(1303, 'x'.repeat(20_000))), '16 KiB'],
  ['an unknown field error', PUT, response(400, invalid(1)), 'no code of a field error'],
  ['another location', POST, response(201, { data: { _id: '1' } }, { location: '/2' }), 'names the new record'],
  ['a body of 204', DELETE, response(204, {}), 'no body'],
  // Secrets.
  ['a hash', GET, response(200, { name: '$argon2id$v=19' }), 'hash'],
  ['a stored field', GET, response(200, { owner: { revision: 0 } }), 'it shows revision'],
  ['an access token', GET, response(200, { name: 'eyJhbGciOi.eyJzdWIi.sig' }), 'access token'],
  // Differences from openapi.json.
  ['a path', { ...GET, path: '/others' }, response(200, {}), 'no such path'],
  ['an operation', { ...PUT, path: '/users' }, response(200, {}), 'no such operation'],
  ['a status', DELETE, response(202), 'lists no 202'],
  ['a code', GET, response(404, fail(1302)), 'lists no code 1302'],
  ['an unknown field', GET, response(200, { hidden: 1 }), 'must NOT have additional'],
  ['the wrong type', GET, response(200, { _id: 1 }), 'body/_id must be string'],
  ['a media type', GET, response(200, {}, { 'content-type': 'text/html' }), 'no text/html'],
  ['a missing header', GET, response(200, {}), 'ETag is not there'],
  ['a wrong header', GET, response(200, {}, { etag: 'W/"1"' }), 'header ETag: body must match pattern'],
  ['an undocumented header', DELETE, response(204, undefined, { location: '/' }), 'no header location'],
])('finds %s', (_what, request, given, reason) => {
  expect(() => new ResponseCheck('').received(request, given)).toThrow(reason);
});

it('finds secrets of earlier requests and responses', () => {
  const check = new ResponseCheck('');
  check.sent(LOGIN);
  const data = { _id: '1', accessToken: 'eyJa.b.c', refreshToken: 'the refresh token' };
  const given = response(201, { status: 'success', data }, { 'cache-control': 'no-store' });
  expect(() => check.received({ method: 'POST', path: '/tokens' }, given)).toThrow(); // It lacks the other fields.
  for (const name of ['a secret password', 'the refresh token'])
    expect(() => check.received(GET, response(200, { name }))).toThrow('it holds a password or a refresh token');
});

import assert from 'node:assert/strict';
import { FIELDS, resourceOf, statusesOf } from './contract.mjs';

/** What contract §2 promises of every response. The client checks each response. */

const JSON_TYPE = 'application/json; charset=utf-8';
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[0-9a-f]{24}$/;
const OUTSIDE = /^\/($|docs|openapi\.json$|health\/|metrics$)/;
const SECRETS = /^(password|currentPassword|passwordHash|hash|salt|refreshTokenHash|__v)$/i;
const TOKENS = /^(refreshToken|accessToken)$/i;

const isId = (value) => typeof value === 'string' && ID.test(value);
const isText = (value) => typeof value === 'string';

/** What a field of a record may hold. */
const TYPES = {
  id: isId,
  ids: (value) => Array.isArray(value) && value.every(isId),
  'id or null': (value) => value === null || isId(value),
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  'text or null': (value) => value === null || isText(value),
  time: (value) => isText(value) && TIME.test(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  slugs: (value) => isText(value?.slug?.base) && Number.isInteger(value.slug.index),
  user: (value) => checkRecord('user', value) ?? true,
};

/**
 * @param {import('./client.mjs').Response} response
 * @throws {assert.AssertionError} naming the promise that the response breaks
 */
export function check(response) {
  const { method, status, route } = response;
  assert.ok(status !== 500, 'no request ends with a 500');
  checkHeaders(response);
  if (method === 'HEAD' || status === 204 || status === 304) checkEmpty(response);
  if (status >= 400) return checkError(response);
  const resource = resourceOf(method, route);
  if (!resource || status === 204) return;
  checkRecordHeaders(response, resource);
  const bytes = resource.kind === 'file' && method === 'GET';
  if (method !== 'HEAD' && status < 300 && !bytes) checkSuccess(response, resource);
}

function checkHeaders({ status, headers, method, route }) {
  assert.ok(headers['x-request-id'], 'every response has X-Request-Id');
  assert.equal(headers['x-content-type-options'], 'nosniff', 'every response has nosniff');
  assert.ok(!headers.server && !headers['x-powered-by'], "no header names the server's software");
  if (OUTSIDE.test(route) && status < 400) return;
  const bytes = /^\/files\/[^/]+$/.test(route) && ['GET', 'HEAD'].includes(method) && status < 400;
  const usual = ['private', bytes ? 'max-age=' : 'no-cache'];
  const expected = /^\/(sessions|tokens)(\/|$)/.test(route) ? ['no-store'] : usual;
  const parts = (headers['cache-control'] ?? '').split(/\s*,\s*/);
  for (const start of expected)
    assert.ok(
      parts.some((part) => part.startsWith(start)),
      `Cache-Control has ${start}`,
    );
}

function checkEmpty({ status, headers, bytes }) {
  assert.equal(bytes.length, 0, 'HEAD, 204 and 304 have no body');
  if (status === 204) assert.ok(!Number(headers['content-length'] ?? 0), '204 announces no body');
}

function checkError({ status, headers, body, method }) {
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/, '401 has WWW-Authenticate: Bearer');
  if (status === 405) assert.match(headers.allow ?? '', /OPTIONS/, '405 has Allow');
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/, 'has Retry-After');
  if (method === 'HEAD') return;
  assert.equal(headers['content-type'], JSON_TYPE, 'every error is JSON in UTF-8');
  checkMembers(body, ['code', 'message', 'status'], 'an error');
  assert.equal(body.status, 'fail', 'the status of an error is "fail"');
  assert.ok(Number.isInteger(body.code), 'code is an integer');
  const statuses = statusesOf(body.code);
  assert.ok(statuses.length === 0 || statuses.includes(status), `code ${body.code} belongs to HTTP ${statuses}`);
  if (body.code === 1024) checkFieldErrors(body.message);
  else assert.ok(isText(body.message) && body.message.trim(), 'message is a readable text');
}

function checkFieldErrors(errors) {
  assert.ok(Array.isArray(errors) && errors.length >= 1 && errors.length <= 50, '1 to 50 field errors');
  for (const error of errors) {
    checkMembers(error, ['code', 'detail', 'title'], 'a field error');
    assert.ok(Number.isInteger(error.code), 'code is an integer');
    assert.ok(isText(error.title) && [...error.title].length <= 100, 'titles are cut at 100 characters');
    assert.ok(isText(error.detail) && error.detail.trim(), 'detail gives the reason');
  }
  const fields = errors.map(({ title }) => title.split('.')[0]);
  assert.equal(new Set(fields).size, fields.length, 'one field error per field');
}

function checkRecordHeaders({ method, headers, body }, { kind, single }) {
  if (!single && method !== 'POST') return;
  if (kind === 'session' || kind === 'token') assert.equal(headers.etag, undefined, 'sessions and tokens have no ETag');
  else assert.match(headers.etag ?? '', STRONG_TAG, 'one record has a strong ETag');
  if (method !== 'POST') return;
  if (kind === 'token') return assert.equal(headers.location, undefined, 'no Location without a GET');
  assert.match(headers.location ?? '', /^\/[^/]/, 'Location is an absolute path');
  assert.ok(headers.location.endsWith(`/${body.data._id}`), 'Location names the new record');
}

function checkSuccess({ method, status, headers, body }, { kind, single }) {
  assert.equal(status, method === 'POST' ? 201 : 200, 'POST is 201, GET and PUT are 200');
  assert.equal(headers['content-type'], JSON_TYPE, 'success is JSON in UTF-8');
  if (method === 'GET' && single) return checkRecord(kind, body);
  checkMembers(body, ['data', 'status'], 'a wrapped response');
  assert.equal(body.status, 'success', 'status is "success"');
  if (method === 'GET') return body.data.forEach((record) => checkRecord(kind, record));
  checkRecord(method === 'POST' && kind === 'session' ? 'newSession' : kind, body.data);
}

const checkMembers = (value, names, what) =>
  assert.deepEqual(Object.keys(value ?? {}).sort(), names, `${what} has exactly ${names}`);

function checkRecord(kind, record) {
  for (const [field, type] of Object.entries(FIELDS[kind])) {
    const name = field.replace('?', '');
    if (name !== field && !(name in record)) continue;
    assert.ok(TYPES[type](record[name]), `${kind}: ${name} is ${type}, not ${JSON.stringify(record[name])}`);
  }
  checkSecrets(record, kind === 'newSession' || kind === 'token');
  if ('slug' in FIELDS[kind]) checkSlug(record);
}

function checkSecrets(value, withTokens) {
  for (const [name, member] of Object.entries(value ?? {})) {
    assert.ok(!SECRETS.test(name) && (withTokens || !TOKENS.test(name)), `no ${name} in this response`);
    if (member && typeof member === 'object') checkSecrets(member, false);
  }
}

function checkSlug({ slug, friendlySlugs }) {
  const { base, index } = friendlySlugs.slug;
  assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug has a–z 0–9 and single -');
  assert.equal(slug, index === 0 ? base : `${base}-${index}`, 'index 0 is the base itself');
}

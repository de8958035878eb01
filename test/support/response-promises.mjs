import assert from 'node:assert/strict';
import { CODES, FIELDS, RESOURCES } from './contract.mjs';

/** Checks of every response (contract §2), for the player and for the client of all tests. No code of `src`. */

const JSON_TYPE = 'application/json; charset=utf-8';
/** Paths that are not part of the contract (§4). */
export const OTHER_PATHS = /^\/($|docs|openapi\.json$|health\/|metrics$)/;
const SECRETS = /^(password|currentPassword|passwordHash|hash|salt|refreshTokenHash|__v)$/i;
const TOKENS = /^(refreshToken|accessToken|key)$/i;

/** The kinds of what a POST returns, where that has more than later responses. */
const NEW = { session: 'newSession', apiKey: 'newApiKey' };

const isId = (value) => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value);
const isText = (value) => typeof value === 'string';
const isTime = (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

/** Types of the fields of a record. */
const TYPES = {
  id: isId,
  ids: (value) => Array.isArray(value) && value.every(isId),
  'id or null': (value) => value === null || isId(value),
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  'text or null': (value) => value === null || isText(value),
  time: isTime,
  'time or null': (value) => value === null || isTime(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  slugs: (value) => isText(value?.slug?.base) && Number.isInteger(value.slug.index),
  user: (value) => checkRecord('user', value) ?? true,
  key: (value) => isText(value) && /^roster_[0-9A-Za-z]{49}$/.test(value),
  changes: (value) => Array.isArray(value) && value.every(({ field, ...values }) => isText(field) && isChange(values)),
};

/** Both values, or neither. */
const isChange = (values) => ['', 'from,to'].includes(Object.keys(values).sort().join());

const ROUTES = Object.entries(RESOURCES).map(([path, [kind, ...methods]]) => ({
  ...{ kind, methods, single: /:\w+$/.test(path) },
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/**
 * @param {import('../player/client.mjs').Response} response `path` without the base path
 * @throws {assert.AssertionError} naming the promise that the response breaks
 */
export function checkResponse(response) {
  const { method, path, status, headers, bytes } = response;
  const route = path.split('?')[0];
  const resource = ROUTES.find(
    ({ pattern, methods }) => pattern.test(route) && methods.includes(method === 'HEAD' ? 'GET' : method),
  );
  checkHeaders(response, route);
  if (method === 'HEAD' || status === 204 || status === 304) assert.equal(bytes.length, 0, 'HEAD, 204, 304: no body');
  if (status === 204) assert.ok(!Number(headers['content-length'] ?? 0), '204 announces no body');
  if (status >= 400) return checkError(response);
  if (!resource || status === 204) return;
  checkRecordHeaders(response, resource);
  if (method !== 'HEAD' && status < 300 && !(resource.kind === 'file' && resource.single))
    checkSuccess(response, resource);
}

function checkHeaders({ status, headers }, route) {
  assert.match(headers['x-request-id'] ?? '', /^[\w.-]{8,}$/, 'every response has X-Request-Id');
  assert.ok(headers['content-security-policy'], 'every response has Content-Security-Policy');
  assert.equal(headers['x-content-type-options'], 'nosniff', 'every response has nosniff');
  assert.ok(!headers.server && !headers['x-powered-by'], "no header names the server's software");
  if (OTHER_PATHS.test(route)) return;
  assert.ok(status < 300 || status === 304 || status >= 400, 'no operation redirects');
  const isFile = /^\/files\/[^/]+$/.test(route) && [200, 304].includes(status);
  const usual = isFile ? /^private, max-age=/ : /^private, no-cache$/;
  const expected = /^\/(sessions|tokens|users\/[^/]+\/api-keys)(\/|$)/.test(route) ? /^no-store$/ : usual;
  assert.match(headers['cache-control'] ?? '', expected, `Cache-Control of ${route}`);
}

function checkError({ status, headers, body, bytes, method }) {
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/, '401 has WWW-Authenticate: Bearer');
  if (status === 405) assert.match(headers.allow ?? '', /OPTIONS/, '405 has Allow');
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/, 'has Retry-After');
  assert.equal(headers['content-type'], JSON_TYPE, 'every error is JSON in UTF-8');
  if (method === 'HEAD') return;
  assert.ok(bytes.length <= 16 * 1024, 'an error has at most 16 KiB');
  checkMembers(body, ['status', 'message', 'code'], 'an error');
  assert.equal(body.status, 'fail', 'the status of an error is "fail"');
  const isKnown = Object.values(CODES).some((codes) => codes.includes(body.code));
  assert.ok(!isKnown || CODES[status].includes(body.code), `code ${body.code} does not belong to HTTP ${status}`);
  if (body.code === 1024) checkFieldErrors(body.message);
  else assert.ok(isText(body.message) && body.message.trim(), 'message is a readable text');
}

function checkFieldErrors(errors) {
  assert.ok(Array.isArray(errors) && errors.length >= 1 && errors.length <= 50, '1 to 50 field errors');
  for (const error of errors) {
    checkMembers(error, ['code', 'title', 'detail'], 'a field error');
    assert.ok(Number.isInteger(error.code), 'code is an integer');
    assert.ok(isText(error.title) && [...error.title].length <= 100, 'titles are cut at 100 characters');
    assert.ok(isText(error.detail) && error.detail.trim(), 'detail gives the reason');
  }
  const fields = errors.map(({ title }) => title.split('.')[0]);
  assert.equal(new Set(fields).size, fields.length, 'one field error per field');
}

function checkRecordHeaders({ method, headers, body }, { kind, single }) {
  if (!single && method !== 'POST') return;
  if (['session', 'token', 'apiKey'].includes(kind)) assert.equal(headers.etag, undefined, `no ETag of a ${kind}`);
  else assert.match(headers.etag ?? '', /^"[\x21\x23-\x7e]*"$/, 'one record has a strong ETag');
  if (method !== 'POST') return;
  if (kind === 'token') return assert.equal(headers.location, undefined, 'no Location without a GET');
  assert.match(headers.location ?? '', /^\/[^/]/, 'Location is an absolute path');
  assert.ok(headers.location.endsWith(`/${body.data._id}`), 'Location names the new record');
}

function checkSuccess({ method, status, headers, body }, { kind, single }) {
  assert.equal(status, method === 'POST' ? 201 : 200, 'POST is 201, GET and PUT are 200');
  assert.equal(headers['content-type'], JSON_TYPE, 'success is JSON in UTF-8');
  if (method === 'GET' && single) return checkRecord(kind, body);
  checkMembers(body, ['status', 'data'], 'a wrapped response');
  assert.equal(body.status, 'success', 'status is "success"');
  if (method === 'GET') return body.data.forEach((record) => checkRecord(kind, record));
  checkRecord((method === 'POST' && NEW[kind]) || kind, body.data);
}

const checkMembers = (value, names, what) =>
  assert.deepEqual(Object.keys(value ?? {}).sort(), names.toSorted(), `${what} has exactly ${names}`);

function checkRecord(kind, record) {
  for (const [field, type] of Object.entries(FIELDS[kind])) {
    const name = field.replace('?', '');
    if (name !== field && !(name in record)) continue;
    assert.ok(TYPES[type](record[name]), `${kind}: ${name} is ${type}, not ${JSON.stringify(record[name])}`);
  }
  checkSecrets(record, ['newSession', 'newApiKey', 'token'].includes(kind));
  if (!('slug' in FIELDS[kind])) return;
  const { base, index } = record.friendlySlugs.slug;
  assert.match(record.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug has a–z 0–9 and single -');
  assert.equal(record.slug, index === 0 ? base : `${base}-${index}`, 'index 0 is the base itself');
}

function checkSecrets(value, withTokens) {
  for (const [name, member] of Object.entries(value ?? {})) {
    assert.ok(!SECRETS.test(name) && (withTokens || !TOKENS.test(name)), `no ${name} in this response`);
    if (member && typeof member === 'object') checkSecrets(member, false);
  }
}

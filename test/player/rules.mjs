import assert from 'node:assert/strict';
import { CODES, FAULTS } from './codes.mjs';
import { SHAPES, collectionAt, singleAt } from './shapes.mjs';

/** What every answer owes to contract §2, whatever was asked. The client judges each answer by it. */

const JSON_TYPE = 'application/json; charset=utf-8';
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[0-9a-f]{24}$/;
const OUTSIDE = /^\/($|docs|openapi\.json$|health\/|metrics$)/;
const SECRET_NAMES = /^(password|currentPassword|passwordHash|hash|salt|__v)$/i;
const TOKEN_NAMES = /^(refreshToken|accessToken|refreshTokenHash)$/i;

const has = (text, ...parts) =>
  parts.every((part) => (text ?? '').split(/\s*,\s*/).some((item) => item.startsWith(part)));

/**
 * @param {import('./client.mjs').Answer} answer
 * @throws {assert.AssertionError} naming the promise that the answer breaks
 */
export function judge(answer) {
  assert.ok(answer.status !== 500, 'no request may end in a 500');
  judgeHeaders(answer);
  if (answer.method === 'HEAD' || answer.status === 204 || answer.status === 304) judgeEmpty(answer);
  if (answer.status >= 400) return judgeFailure(answer);
  if (OUTSIDE.test(answer.route)) return;
  judgeTags(answer);
  if (answer.method !== 'HEAD' && answer.status < 300 && answer.status !== 204) judgeSuccess(answer);
}

function judgeHeaders({ status, headers, method, route }) {
  assert.ok(headers['x-request-id'], 'every answer carries X-Request-Id');
  assert.equal(headers['x-content-type-options'], 'nosniff', 'every answer carries nosniff');
  assert.ok(!headers.server && !headers['x-powered-by'], "no header names the server's software");
  if (OUTSIDE.test(route) && status < 400) return;
  const control = headers['cache-control'];
  const bytes = /^\/files\/[^/]+$/.test(route) && ['GET', 'HEAD'].includes(method) && status < 400;
  if (/^\/(sessions|tokens)(\/|$)/.test(route)) assert.ok(has(control, 'no-store'), 'no-store on sessions and tokens');
  else if (bytes) assert.ok(has(control, 'private', 'max-age='), 'files: private, max-age');
  else assert.ok(has(control, 'private', 'no-cache'), 'Cache-Control is private, no-cache');
}

function judgeEmpty({ status, headers, bytes }) {
  assert.equal(bytes.length, 0, 'HEAD, 204 and 304 have no body');
  if (status === 204) assert.ok(!Number(headers['content-length'] ?? 0), '204 announces no body');
}

function judgeFailure(answer) {
  const { status, headers, body, method } = answer;
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/, '401 adds WWW-Authenticate: Bearer');
  if (status === 405) assert.match(headers.allow ?? '', /OPTIONS/, '405 adds Allow');
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^\d+$/, 'adds Retry-After');
  if (method === 'HEAD') return;
  assert.equal(headers['content-type'], JSON_TYPE, 'every failure is JSON in UTF-8');
  assert.deepEqual(
    Object.keys(body ?? {}).sort(),
    ['code', 'message', 'status'],
    'a failure has status, message, code',
  );
  assert.equal(body.status, 'fail', 'a failure says "fail"');
  assert.ok(CODES[body.code]?.includes(status), `code ${body.code} belongs to HTTP ${status}`);
  if (body.code === 1024) return judgeFaults(body.message);
  assert.ok(typeof body.message === 'string' && body.message.trim(), 'message is a readable text');
}

function judgeFaults(faults) {
  assert.ok(Array.isArray(faults) && faults.length >= 1 && faults.length <= 50, '1 to 50 faults');
  for (const item of faults) {
    assert.deepEqual(Object.keys(item).sort(), ['code', 'detail', 'title'], 'a fault has code, title, detail');
    assert.ok(FAULTS.includes(item.code), `fault code ${item.code} is in the table`);
    assert.ok(typeof item.title === 'string' && [...item.title].length <= 100, 'titles are cut at 100 characters');
    assert.ok(typeof item.detail === 'string' && item.detail.trim(), 'detail gives the reason');
  }
  const titles = faults.map((item) => item.title.split('.')[0]);
  assert.equal(new Set(titles).size, titles.length, 'one item a field');
}

function judgeTags({ method, route, status, headers, body }) {
  const single = singleAt(route);
  const created = method === 'POST' && status === 201 ? collectionAt(route) : undefined;
  const kind = single?.kind ?? created?.kind;
  if (!kind || status === 204) return;
  const tagged = kind !== 'session' && kind !== 'token';
  if (tagged) assert.match(headers.etag ?? '', STRONG_TAG, 'one record comes with a strong ETag');
  else assert.equal(headers.etag, undefined, 'sessions and tokens have no ETag');
  if (created?.one) assert.ok(headers.location?.endsWith(`/${body.data._id}`), 'Location of the new record');
  if (created?.one) assert.match(headers.location, /^\/[^/]/, 'Location is an absolute path');
  if (created && !created.one) assert.equal(headers.location, undefined, 'no Location without a GET');
}

function judgeSuccess({ method, route, status, headers, body }) {
  const list = collectionAt(route);
  const kind = list?.kind ?? singleAt(route)?.kind;
  if (!kind || method === 'OPTIONS' || (kind === 'file' && method === 'GET')) return;
  assert.equal(status, method === 'POST' ? 201 : 200, 'POST answers 201, GET and PUT 200');
  assert.equal(headers['content-type'], JSON_TYPE, 'success is JSON in UTF-8');
  if (method === 'GET' && !list) return judgeRecord(kind, body);
  assert.deepEqual(Object.keys(body).sort(), ['data', 'status'], 'wrapped in status and data');
  assert.equal(body.status, 'success', 'status is "success"');
  if (method === 'GET') return body.data.forEach((record) => judgeRecord(kind, record));
  judgeRecord(method === 'POST' && kind === 'session' ? 'newSession' : kind, body.data);
}

function judgeRecord(kind, record) {
  const wanted = SHAPES[kind];
  const optional = wanted.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1));
  const names = Object.keys(record).filter((name) => !optional.includes(name));
  assert.deepEqual(names.sort(), wanted.filter((name) => !name.endsWith('?')).sort(), `${kind}: exactly its fields`);
  judgeValues(record, ['newSession', 'token'].includes(kind));
  if (kind === 'newSession') judgeRecord('user', record.user);
  if ('slug' in record) judgeSlug(record);
}

function judgeValues(value, tokens) {
  for (const [name, member] of Object.entries(value ?? {})) {
    assert.ok(!SECRET_NAMES.test(name), `no ${name} in an answer`);
    assert.ok(tokens || !TOKEN_NAMES.test(name), `no ${name} in this answer`);
    if (name === '_id') assert.match(member, ID, '_id is 24 lower-case hexadecimal digits');
    if (name.endsWith('At')) assert.match(member, ISO, `${name} is UTC with milliseconds`);
    if (member && typeof member === 'object') judgeValues(member, false);
  }
}

function judgeSlug({ slug, friendlySlugs }) {
  assert.deepEqual(Object.keys(friendlySlugs), ['slug'], 'friendlySlugs holds one member');
  const { base, index } = friendlySlugs.slug;
  assert.deepEqual(Object.keys(friendlySlugs.slug).sort(), ['base', 'index'], 'base and index');
  assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug is of a–z 0–9 and single -');
  assert.equal(slug, index === 0 ? base : `${base}-${index}`, 'index 0 is the base itself');
}

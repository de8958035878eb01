import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

/** Assertions in the words of the contract. `promise` is what a failed one reports. */

/**
 * @typedef {import('./client.mjs').Response} Response
 * @typedef {Response | {etag: string}} Version a response with one record, or what `Caller` created
 */

/** @param {Response} response @param {number} [status] @returns {Response} */
export function ok(response, status = 200) {
  assert.equal(response.status, status, textOf(response));
  return response;
}

/** @param {Response} response @returns {any} the record that the POST created */
export const created = (response) => ok(response, 201).body.data;

/** @param {Response} response of a list @returns {string[]} the ids on the page */
export const ids = (response) => ok(response).body.data.map((record) => record._id);

/** @param {Response} response @param {number} status @param {number} code @returns {Response} */
export function fails(response, status, code) {
  const got = `${response.status} ${response.body?.code ?? ''}`.trim();
  assert.equal(got, response.method === 'HEAD' ? `${status}` : `${status} ${code}`, textOf(response));
  return response;
}

/** @param {Response} response @param {...string} errors all its field errors in order, such as `5001 name` */
export function invalid(response, ...errors) {
  const { body } = fails(response, 400, 1024);
  const got = body.message.map(({ code, title }) => `${code} ${title}`);
  assert.deepEqual(got, errors, textOf(response));
}

/** @param {unknown} actual @param {unknown} expected @param {string} [promise] */
export const same = (actual, expected, promise) =>
  assert.deepEqual(actual, expected, `${promise ?? 'differs'}: got ${short(actual)}, expected ${short(expected)}`);

/** @param {unknown} actual @param {unknown} other @param {string} promise */
export const differs = (actual, other, promise) => assert.notDeepEqual(actual, other, promise);

/** @param {unknown} condition @param {string} promise */
export const holds = (condition, promise) => assert.ok(condition, promise);

/**
 * Compares only these fields: a record may have more.
 * @param {any} record
 * @param {object} fields
 * @param {string} [promise]
 */
export function has(record, fields, promise) {
  same(Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]])), fields, promise);
}

/** The same fields and the same ETag. @param {Version} actual @param {Version} expected @param {string} [promise] */
export const sameVersion = (actual, expected, promise = 'nothing changed') =>
  same(versionOf(actual), versionOf(expected), promise);

/**
 * Of requests that were sent at once, one succeeded.
 * @param {Response[]} responses
 * @param {number} success the status of that one
 * @param {number} status of all others
 * @param {number} code of all others
 * @returns {Response} the one that succeeded
 */
export function oneWins(responses, success, status, code) {
  const [winners, others] = [true, false].map((won) => responses.filter((one) => (one.status === success) === won));
  same(winners.length, 1, 'one winner');
  for (const response of others) fails(response, status, code);
  return winners[0];
}

/** Waits until the clock, which has milliseconds, shows a later time. */
export async function tick() {
  for (const start = Date.now(); Date.now() < start + 2;) await turn();
}

/** @param {Response} response @returns {Record<string, string>} its Link header (RFC 8288): targets by relation */
export function links({ headers }) {
  const found = [...(headers.link ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)];
  return Object.fromEntries(found.map(([, target, relation]) => [relation, target]));
}

function versionOf(version) {
  if (!version.headers) return { record: version, etag: version.etag };
  ok(version, version.method === 'POST' ? 201 : 200);
  return { record: version.method === 'GET' ? version.body : version.body.data, etag: version.headers.etag };
}

const short = (value) => JSON.stringify(value)?.slice(0, 400);
const textOf = ({ method, path, status, text }) => `${method} ${path.slice(0, 120)} → ${status} ${text.slice(0, 600)}`;

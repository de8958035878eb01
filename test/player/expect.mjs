import assert from 'node:assert/strict';

/** Assertions in the words of the contract. */

/** @typedef {import('./client.mjs').Response} Response */

/** @param {Response} response @param {number} [status] @returns {Response} */
export function ok(response, status = 200) {
  assert.equal(response.status, status, describe(response));
  return response;
}

/** @param {Response} response @returns {any} the record that the POST created */
export const created = (response) => ok(response, 201).body.data;

/** @param {Response} response of a list @returns {string[]} the ids on the page */
export const ids = (response) => ok(response).body.data.map((record) => record._id);

/** @param {Response} response @param {number} status @param {number} code @returns {Response} */
export function fails(response, status, code) {
  const { method, status: actual, body } = response;
  assert.deepEqual([actual, body?.code], [status, method === 'HEAD' ? undefined : code], describe(response));
  return response;
}

/** @param {Response} response @param {...string} errors all its field errors in order, such as `5001 name` */
export function invalid(response, ...errors) {
  const { body } = fails(response, 400, 1024);
  const titles = body.message.map(({ code, title }) => `${code} ${title}`);
  assert.deepEqual(titles, errors, describe(response));
}

/** Compares only these fields: a record may have more. @param {any} record @param {object} fields */
export function has(record, fields) {
  assert.deepEqual(Object.fromEntries(Object.keys(fields).map((name) => [name, record[name]])), fields);
}

/**
 * The same fields and the same ETag.
 * @param {Response | {etag: string}} actual a response with one record, or what `Client` created
 * @param {Response | {etag: string}} expected
 */
export const sameVersion = (actual, expected) => assert.deepEqual(versionOf(actual), versionOf(expected));

/** Waits until the clock, which has milliseconds, shows a later time. */
export async function tick() {
  for (const start = Date.now(); Date.now() < start + 2;) await new Promise(setImmediate);
}

/** @param {Response} response @returns {Record<string, string>} the targets of its Link header by relation */
export function links({ headers }) {
  const found = [...(headers.link ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g)];
  return Object.fromEntries(found.map(([, target, relation]) => [relation, target]));
}

function versionOf(version) {
  if (!version.headers) return { record: version, etag: version.etag };
  ok(version, version.method === 'POST' ? 201 : 200);
  return { record: version.method === 'GET' ? version.body : version.body.data, etag: version.headers.etag };
}

const describe = ({ method, path, status, text }) =>
  `${method} ${path.slice(0, 120)} → ${status} ${text.slice(0, 600)}`;

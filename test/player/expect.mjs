import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Assertions in the contract's words. Each gives back the answer, so that scenes can chain. */

/**
 * @param {import('./client.mjs').Answer} answer
 * @param {number} status
 * @param {number} code the failure code of contract §5
 */
export function fails(answer, status, code) {
  const got = `${answer.status} ${answer.body?.code ?? ''}`.trim();
  assert.equal(got, answer.method === 'HEAD' ? `${status}` : `${status} ${code}`, what(answer));
  return answer;
}

/**
 * @param {import('./client.mjs').Answer} answer
 * @param {ReadonlyArray<readonly [number, string]>} faults code and title of each, in order
 */
export function faulty(answer, faults) {
  fails(answer, 400, 1024);
  const got = answer.body.message.map((item) => [item.code, item.title]);
  assert.deepEqual(
    got,
    faults.map(([code, title]) => [code, title]),
    what(answer),
  );
  return answer;
}

/**
 * @param {import('./client.mjs').Answer} answer
 * @param {number} [status] 200 unless said
 */
export function ok(answer, status = 200) {
  assert.equal(answer.status, status, what(answer));
  return answer;
}

/**
 * @param {import('./client.mjs').Answer} answer
 * @returns {any} the record of a POST's answer
 */
export const created = (answer) => ok(answer, 201).body.data;

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} [promise] what it shows
 */
export const same = (actual, expected, promise) => assert.deepEqual(actual, expected, said(promise, actual, expected));

/**
 * @param {unknown} actual
 * @param {unknown} other
 * @param {string} promise
 */
export const differs = (actual, other, promise) => assert.notDeepEqual(actual, other, promise);

/**
 * @param {unknown} condition
 * @param {string} promise
 */
export const holds = (condition, promise) => assert.ok(condition, promise);

/** Lets the clock, which has milliseconds, move on between two writes whose times are compared. */
export const tick = () => sleep(5);

/**
 * @param {import('./client.mjs').Answer} answer a list
 * @returns {string[]} the ids on the page
 */
export const ids = (answer) => ok(answer).body.data.map((record) => record._id);

/**
 * Reads a Link header (RFC 8288).
 * @param {import('./client.mjs').Answer} answer
 * @returns {Record<string, string>} target by relation
 */
export function links(answer) {
  const found = {};
  for (const [, target, rel] of (answer.headers.link ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?(\w+)"?/g))
    found[rel] = target;
  return found;
}

const what = (answer) =>
  `${answer.method} ${answer.path.slice(0, 120)} → ${answer.status} ${answer.text.slice(0, 600)}`;
const said = (promise, actual, expected) =>
  `${promise ?? 'differs'}: got ${JSON.stringify(actual)?.slice(0, 400)}, expected ${JSON.stringify(expected)?.slice(0, 400)}`;

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, newWord } from '../client.mjs';
import { fails, invalid, sameVersion } from '../expect.mjs';
import { alice, anyone, bob } from '../main.mjs';

/** Order of checks and of errors: contract §1.1, §2 */

const HUGE = ' '.repeat(65_537);
const TEXT = { 'content-type': 'text/plain' };
const BROKEN = '{"broken';
/** Bodies with headers, each with another error. */
const BODIES = [[BROKEN], [HUGE], ['x', TEXT], [{}], [{}, { 'if-match': '"x"' }]];

const valid = () => `{"name":"${newWord()}","url":"https://example.com"}`;
const post = (body, headers) => alice.post('/organizations', body, headers);
/** Sends a valid body with further members. */
const postWith = (members) => post(valid().replace('}', `,${members}}`));

test('The first check that fails determines the response', async () => {
  const { path } = await alice.organization();
  const unknown = `/organizations/${UNKNOWN_ID}`;
  fails(await anyone.post('/nowhere', BROKEN), 404, 1301);
  fails(await anyone.send('PATCH', unknown, { body: BROKEN }), 405, 1400);
  for (const args of BODIES) {
    fails(await anyone.put(unknown, ...args), 401, 1100);
    fails(await bob.put(unknown, ...args), 404, 1234);
    fails(await bob.put(`${path}?nonsense=1`, ...args), 403, 1200);
  }
  fails(await alice.post('/organizations?dry=1', 'x', TEXT), 400, 1002);
  fails(await post(HUGE, TEXT), 415, 1003);
  fails(await post(HUGE), 413, 1004);
  fails(await post('{"name":"","zzz":'), 400, 1001);
});

test('Field errors come before references, 412 and conflicts', async () => {
  const [made, other] = [await alice.organization(), await alice.organization()];
  const stale = { 'if-match': '"stale"' };
  const put = (fields, headers) => alice.put(made.path, { ...made, ...fields }, headers);
  invalid(await put({ name: '', featuredApiIds: [UNKNOWN_ID] }, stale), '5622 name');
  invalid(await put({ featuredApiIds: [UNKNOWN_ID] }, stale), '5012 featuredApiIds.0');
  for (const fields of [{}, { name: other.name }]) fails(await put(fields, stale), 412, 1600);
  fails(await put({ name: other.name }, { 'if-match': made.etag }), 409, 1501);
  sameVersion(await alice.get(made.path), made);
});

test('All field errors are reported at once, in the order of the fields, the first 50 of them', async () => {
  invalid(await post({}), '5001 name', '5001 url');
  const body = { zeta: 1, featuredApiIds: {}, alpha: 2, description: 5, url: 'x', name: '' };
  const rest = ['5002 description', '5002 featuredApiIds', '5003 zeta', '5003 alpha'];
  invalid(await post(body), '5622 name', '5007 url', ...rest);
  const names = Array.from({ length: 62 }, (_, index) => `m${index}`);
  const { message } = fails(await postWith(names.map((name) => `"${name}":0`).join()), 400, 1024).body;
  const titles = message.map(({ title }) => title);
  assert.deepEqual(titles, names.slice(0, 50));
  assert.match(message.at(-1).detail, /\b12\b\D*$/);
});

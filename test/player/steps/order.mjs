import { test } from 'node:test';
import { UNKNOWN_ID } from '../client.mjs';
import { fails, invalid, sameVersion } from '../expect.mjs';
import { alice, anyone, bob } from '../main.mjs';

/** Order of checks: contract §1.1, in pairs, and §2 (ETag) */

const HUGE = ' '.repeat(65_537);
const TEXT = { 'content-type': 'text/plain' };
const BROKEN = '{"broken';
/** Bodies with headers, each with another error. */
const BODIES = [[BROKEN], [HUGE], ['x', TEXT], [{}], [{}, { 'if-match': '"x"' }]];

test('Path and method come before the account', async () => {
  fails(await anyone.post('/nowhere', BROKEN), 404, 1301);
  fails(await anyone.send('PATCH', `/organizations/${UNKNOWN_ID}`, { body: BROKEN }), 405, 1400);
});

test('The account comes before what the path names, the query and the body', async () => {
  fails(await anyone.get(`/organizations/${UNKNOWN_ID}`), 401, 1100);
  fails(await anyone.get('/organizations?nonsense=1'), 401, 1100);
  for (const args of BODIES) fails(await anyone.post('/organizations', ...args), 401, 1100);
});

test('What the path names comes before rights, query and body', async () => {
  const path = `/organizations/${UNKNOWN_ID}`;
  for (const args of BODIES) fails(await bob.put(path, ...args), 404, 1234);
  fails(await bob.get(`${path}?nonsense=1`), 404, 1234);
});

test('Rights come before the query, the body and If-Match', async () => {
  const { path } = await alice.organization();
  for (const args of BODIES) fails(await bob.put(path, ...args), 403, 1200);
  fails(await bob.put(`${path}?nonsense=1`, {}), 403, 1200);
});

test('The query comes before media type, size, JSON and content', async () => {
  fails(await alice.post('/organizations?dry=1', 'x', TEXT), 400, 1002);
  fails(await alice.post('/organizations', HUGE, TEXT), 415, 1003);
  fails(await alice.post('/organizations', HUGE), 413, 1004);
  fails(await alice.post('/organizations', '{"name":"","zzz":'), 400, 1001);
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

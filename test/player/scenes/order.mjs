import { NOTHING } from '../caller.mjs';
import { fails, holds, invalid, ok, sameVersion } from '../expect.mjs';

const HUGE = ' '.repeat(65_537);
const TEXT = { 'content-type': 'text/plain' };
const BROKEN = '{"broken';
/** Bodies with headers, each with another error. */
const BODIES = [[BROKEN], [HUGE], ['x', TEXT], [{}], [{}, { 'if-match': '"x"' }]];

/** @type {import('../play.mjs').Scenes} The order of checks: contract §1.1, in pairs, and §2 (ETag) */
export const scenes = {
  'path and method come before the account: 404 1301 and 405 without a login': async ({ anyone }) => {
    for (const body of [undefined, BROKEN]) fails(await anyone.post('/nowhere', body), 404, 1301);
    fails(await anyone.send('PATCH', `/organizations/${NOTHING}`, { body: BROKEN }), 405, 1400);
    fails(await anyone.send('PATCH', '/tokens'), 405, 1400);
  },
  'the account comes before what the path names, the query and the body': async ({ anyone }) => {
    fails(await anyone.get(`/organizations/${NOTHING}`), 401, 1100);
    fails(await anyone.get('/organizations?nonsense=1'), 401, 1100);
    for (const args of BODIES) fails(await anyone.post('/organizations', ...args), 401, 1100);
  },
  'what the path names comes before rights, query and body': async ({ bob }) => {
    const path = `/organizations/${NOTHING}`;
    for (const args of BODIES) fails(await bob.put(path, ...args), 404, 1234);
    fails(await bob.get(`${path}?nonsense=1`), 404, 1234);
    fails(await bob.delete(path, { 'if-match': '*' }), 404, 1234);
  },
  'rights come before query, media type, size, JSON, content and If-Match': async ({ alice, bob }) => {
    const { path } = await alice.organization();
    for (const args of BODIES) fails(await bob.put(path, ...args), 403, 1200);
    fails(await bob.put(`${path}?nonsense=1`, {}), 403, 1200);
    fails(await bob.get(`${path}/managers?nonsense=1`), 403, 1200);
  },
  'then query → media type → size → JSON → content': async ({ alice }) => {
    const query = fails(await alice.post('/organizations?dry=1', 'x', TEXT), 400, 1002);
    holds(query.body.message.includes('dry'), 'names the parameter');
    fails(await alice.post('/organizations', HUGE, TEXT), 415, 1003);
    fails(await alice.post('/organizations', HUGE), 413, 1004);
    fails(await alice.post('/organizations', '{"name":"","zzz":'), 400, 1001);
    invalid(await alice.post('/organizations', { name: '', url: 'https://example.com' }), '5622 name');
  },
  'then field errors → references → 412 → nothing to change → conflicts': async ({ alice }) => {
    const [made, other] = [await alice.organization(), await alice.organization()];
    const stale = { 'if-match': '"stale"' };
    const put = (fields, headers) => alice.put(made.path, { ...made, ...fields }, headers);
    invalid(await put({ name: '' }, stale), '5622 name');
    invalid(await put({ featuredApiIds: [NOTHING] }, stale), '5012 featuredApiIds.0');
    for (const fields of [{}, { name: other.name }]) fails(await put(fields, stale), 412, 1600);
    fails(await put({ name: other.name }, { 'if-match': made.etag }), 409, 1501);
    invalid(await put({ name: other.name, url: 'x' }), '5007 url');
    sameVersion(await alice.get(made.path), made);
  },
  'a body on GET, HEAD or DELETE is ignored': async ({ alice }) => {
    const { path } = await alice.organization();
    ok(await alice.send('GET', path, { body: BROKEN }));
    ok(await alice.send('HEAD', path, { body: 'x', headers: TEXT }));
    ok(await alice.send('GET', '/organizations?limit=1', { body: 'x', headers: TEXT }));
    ok(await alice.send('DELETE', path, { body: BROKEN }), 204);
  },
};

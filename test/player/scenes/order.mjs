import { fails, faulty, holds, ok, same } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

const HUGE = ' '.repeat(65_537);
const TEXT = { 'content-type': 'text/plain' };

/** @type {import('../play.mjs').Scene[]} The order of checks: contract §1.1, in pairs, and §2 (ETag) */
export const scenes = [
  [
    'path and method come before the account: 404 1301 and 405 without a login',
    async ({ anyone }) => {
      fails(await anyone.get('/nowhere'), 404, 1301);
      fails(await anyone.post('/nowhere', '{"broken'), 404, 1301);
      fails(await anyone.ask('PATCH', `/organizations/${NOBODY}`, { body: '{"broken' }), 405, 1400);
      fails(await anyone.get('/tokens'), 405, 1400);
    },
  ],
  [
    'the account comes before what the path names, the query and the body',
    async ({ anyone }) => {
      fails(await anyone.get(`/organizations/${NOBODY}`), 401, 1100);
      fails(await anyone.get('/organizations?nonsense=1'), 401, 1100);
      fails(await anyone.post('/organizations', '{"broken'), 401, 1100);
      fails(await anyone.post('/organizations', HUGE), 401, 1100);
      fails(await anyone.post('/organizations', 'x', TEXT), 401, 1100);
    },
  ],
  [
    'what the path names comes before rights, query and body',
    async (world) => {
      const bob = await world.person('bob');
      const path = `/organizations/${NOBODY}`;
      fails(await bob.put(path, '{"broken'), 404, 1234);
      fails(await bob.put(path, HUGE), 404, 1234);
      fails(await bob.put(path, 'x', TEXT), 404, 1234);
      fails(await bob.get(`${path}?nonsense=1`), 404, 1234);
      fails(await bob.put(path, {}, { 'if-match': '"x"' }), 404, 1234);
      fails(await bob.delete(path, { 'if-match': '*' }), 404, 1234);
    },
  ],
  [
    'rights come before query, media type, size, JSON, content and If-Match',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      fails(await bob.put(`${path}?nonsense=1`, {}), 403, 1200);
      fails(await bob.put(path, 'x', TEXT), 403, 1200);
      fails(await bob.put(path, HUGE), 403, 1200);
      fails(await bob.put(path, '{"broken'), 403, 1200);
      fails(await bob.put(path, {}), 403, 1200);
      fails(await bob.put(path, {}, { 'if-match': '"x"' }), 403, 1200);
      fails(await bob.get(`${path}/managers?nonsense=1`), 403, 1200);
    },
  ],
  [
    'then query → media type → size → JSON → content',
    async (world) => {
      const alice = await world.person('alice');
      const query = fails(await alice.post('/organizations?dry=1', 'x', TEXT), 400, 1002);
      holds(query.body.message.includes('dry'), 'names the parameter');
      fails(await alice.post('/organizations', HUGE, TEXT), 415, 1003);
      fails(await alice.post('/organizations', HUGE), 413, 1004);
      fails(await alice.post('/organizations', '{"name":"","zzz":'), 400, 1001);
      faulty(await alice.post('/organizations', { name: '', url: 'https://example.com' }), [[5622, 'name']]);
    },
  ],
  [
    'then faults → references → 412 → nothing to do → conflicts',
    async (world) => {
      const alice = await world.person('alice');
      const [made, other] = [await world.organization(alice), await world.organization(alice)];
      const stale = { 'if-match': '"stale"' };
      faulty(await alice.put(made.path, { ...made, name: '' }, stale), [[5622, 'name']]);
      faulty(await alice.put(made.path, { ...made, featuredApiIds: [NOBODY] }, stale), [[5012, 'featuredApiIds.0']]);
      fails(await alice.put(made.path, made, stale), 412, 1600);
      fails(await alice.put(made.path, { ...made, name: other.name }, stale), 412, 1600);
      fails(await alice.put(made.path, { ...made, name: other.name }, { 'if-match': made.etag }), 409, 1501);
      faulty(await alice.put(made.path, { ...made, name: other.name, url: 'x' }), [[5007, 'url']]);
      same(ok(await alice.get(made.path)).headers.etag, made.etag, 'nothing changed');
    },
  ],
  [
    'a body on GET, HEAD or DELETE is ignored',
    async (world) => {
      const alice = await world.person('alice');
      const { path } = await world.organization(alice);
      ok(await alice.ask('GET', path, { body: '{"broken' }));
      ok(await alice.ask('HEAD', path, { body: 'x', headers: TEXT }));
      ok(await alice.ask('GET', '/organizations?limit=1', { body: 'x', headers: TEXT }));
      ok(await alice.ask('DELETE', path, { body: '{"broken' }), 204);
    },
  ],
];

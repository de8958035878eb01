import { fails, ok, same } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

const ODD_IDS = [
  ...['x', 'null', 'undefined', '0', '-1', 'me', 'A'.repeat(24), 'f'.repeat(23), 'f'.repeat(25), 'g'.repeat(24)],
  ...['%00', '%2F', 'a%2Fb', '..%2F..', '%2e%2e', '__proto__', '%7B%22%24ne%22%3Anull%7D', '%F0%9F%92%A5', '%20', '*'],
  ...[`${'f'.repeat(24)}%00`, `%20${'f'.repeat(24)}`, `${'f'.repeat(24)}%0A`, '%zz', '%ff', '%', 'x'.repeat(5_000)],
];

/** What stands at each path of contract §4, HEAD and OPTIONS aside. */
const METHODS = {
  '/sessions': ['GET', 'POST'],
  '/sessions/:id': ['DELETE', 'GET'],
  '/tokens': ['POST'],
  '/users': ['GET', 'POST'],
  '/users/:id': ['DELETE', 'GET', 'PUT'],
  '/organizations': ['GET', 'POST'],
  '/organizations/:id': ['DELETE', 'GET', 'PUT'],
  '/organizations/:id/managers': ['GET', 'POST'],
  '/organizations/:id/managers/:id': ['DELETE', 'GET'],
};

/** The same for what comes with Apis and files. */
const LATER_METHODS = {
  '/organizations/:id/apis': ['GET', 'POST'],
  '/apis': ['GET'],
  '/apis/:id': ['DELETE', 'GET', 'PUT'],
  '/files': ['POST'],
  '/files/:id': ['DELETE', 'GET'],
};

const allowed = (answer) => (answer.headers.allow ?? '').split(/\s*,\s*/).sort();
const allOf = (methods) => [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();

/** PATCH, TRACE and each method a path lacks: 405 with the full Allow; OPTIONS: 204 with the same. */
async function methodsOf({ anyone }, table) {
  for (const [pattern, methods] of Object.entries(table)) {
    const path = pattern.replaceAll(':id', NOBODY);
    for (const method of ['PATCH', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'PROPFIND']) {
      if (allOf(methods).includes(method)) continue;
      same(allowed(fails(await anyone.ask(method, path), 405, 1400)), allOf(methods), `Allow of ${method} ${pattern}`);
    }
    same(allowed(ok(await anyone.ask('OPTIONS', path), 204)), allOf(methods), `Allow of OPTIONS ${pattern}`);
  }
}

async function oddIds(world, templates) {
  const alice = await world.person('alice');
  for (const [method, pattern, code] of templates) {
    for (const id of ODD_IDS) fails(await alice.ask(method, pattern.replace(':id', id)), 404, code);
  }
}

/** @type {import('../play.mjs').Scene[]} Paths, ids and methods: contract §1.2–1.4 */
export const scenes = [
  [
    'whatever is no id names nothing: 404, never 400 or 500',
    async (world) => {
      const { path } = await world.organization(await world.person('alice'));
      await oddIds(world, [
        ['GET', '/organizations/:id', 1234],
        ['PUT', '/organizations/:id', 1234],
        ['DELETE', '/organizations/:id', 1234],
        ['GET', '/organizations/:id/managers', 1234],
        ['GET', `${path}/managers/:id`, 1304],
        ['GET', '/users/:id', 1302],
        ['DELETE', '/sessions/:id', 1306],
      ]);
    },
  ],
  [
    'paths are exact: no trailing slash, no empty segment, case-sensitive',
    async (world) => {
      const alice = await world.person('alice');
      const { _id } = await world.organization(alice);
      const paths = [
        '/organizations/',
        '//organizations',
        '/Organizations',
        '/organizations//managers',
        `/organizations//managers/${_id}`,
      ];
      for (const path of [
        ...paths,
        `/organizations/${_id}/`,
        `/organizations/${_id}//managers`,
        `/organizations/${_id}/Managers`,
        `/organizations/${_id}/x`,
      ]) {
        for (const caller of [alice, world.anyone]) fails(await caller.get(path), 404, 1301);
      }
      for (const path of ['/organizations//', `/organizations//managers/${alice.id}`])
        fails(await alice.delete(path), 404, 1301);
      for (const path of [
        '/v1/organizations',
        '/v2/organizations',
        '/api',
        '/constructor',
        '/favicon.ico',
        '/%2e%2e/etc/passwd',
        '/%zz',
      ]) {
        fails(await world.anyone.get(path), 404, 1301);
      }
    },
  ],
  [
    '405 lists HEAD with GET, and OPTIONS; OPTIONS is 204 with Allow; PATCH is 405 everywhere',
    (world) => methodsOf(world, METHODS),
  ],
  [
    'HEAD answers as GET without the body',
    async (world) => {
      const alice = await world.person('alice');
      const { path } = await world.organization(alice);
      const query = `?q=${world.word()}`;
      for (const url of [
        path,
        '/organizations?limit=1',
        `/organizations${query}`,
        `/users/${alice.id}`,
        '/sessions',
        `${path}/managers`,
      ]) {
        const [get, head] = [ok(await alice.get(url)), ok(await alice.ask('HEAD', url))];
        for (const name of ['etag', 'link', 'content-type', 'cache-control'])
          same(head.headers[name], get.headers[name], name);
      }
      fails(await alice.ask('HEAD', `/organizations/${NOBODY}`), 404);
      fails(await world.anyone.ask('HEAD', path), 401);
      fails(await alice.ask('HEAD', '/organizations?x=1'), 400);
    },
  ],
  [
    'query parameters belong to GET and HEAD: elsewhere 1002; a bare ? is no query string',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      for (const query of ['?x=1', '?q=a', '?x', '?=']) {
        fails(await alice.put(made.path + query, made), 400, 1002);
        fails(await alice.delete(made.path + query), 400, 1002);
        fails(await alice.post(`/organizations${query}`, world.organizationFields()), 400, 1002);
      }
      ok(await alice.put(`${made.path}?`, made));
      ok(await alice.get(`${made.path}?`));
      fails(await alice.get(`${made.path}?fields=name`), 400, 1002);
      ok(await alice.delete(`${made.path}?`), 204);
    },
  ],
];

/** @type {import('../play.mjs').Scene[]} the same for Apis and files */
export const laterScenes = [
  ['405 and OPTIONS on the paths of Apis and files', (world) => methodsOf(world, LATER_METHODS)],
  [
    'whatever is no id of an Api or a file names nothing',
    (world) =>
      oddIds(world, [
        ['GET', '/apis/:id', 1303],
        ['PUT', '/apis/:id', 1303],
        ['GET', '/organizations/:id/apis', 1234],
        ['GET', '/files/:id', 1305],
        ['DELETE', '/files/:id', 1305],
      ]),
  ],
];

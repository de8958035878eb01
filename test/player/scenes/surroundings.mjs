import { fails, holds, ok, same } from '../expect.mjs';

const METHOD_NAMES = ['get', 'post', 'put', 'delete'];
const OPERATIONS = {
  '/sessions': ['get', 'post'],
  '/sessions/{id}': ['delete', 'get'],
  '/tokens': ['post'],
  '/users': ['get', 'post'],
  '/users/{id}': ['delete', 'get', 'put'],
  '/organizations': ['get', 'post'],
  '/organizations/{id}': ['delete', 'get', 'put'],
  '/organizations/{id}/managers': ['get', 'post'],
  '/organizations/{id}/managers/{managerId}': ['delete', 'get'],
  '/organizations/{id}/apis': ['get', 'post'],
  '/apis': ['get'],
  '/apis/{id}': ['delete', 'get', 'put'],
  '/files': ['post'],
  '/files/{id}': ['delete', 'get'],
};

/** @type {import('../play.mjs').Scene[]} What lies around the contract, and CORS: contract §4 */
export const scenes = [
  [
    'without login: /, /docs, /openapi.json, /health/live, /health/ready, /metrics',
    async ({ anyone }) => {
      for (const path of ['/openapi.json', '/health/live', '/health/ready', '/metrics', '/']) {
        const { status } = await anyone.get(path);
        holds(status < 400, `${path} answers ${status}`);
      }
      holds((await anyone.get('/docs')).status < 400, '/docs');
    },
  ],
  [
    '/openapi.json lists every operation',
    async ({ anyone }) => {
      const { paths } = ok(await anyone.get('/openapi.json')).body;
      for (const [path, methods] of Object.entries(OPERATIONS)) {
        const listed = Object.keys(paths[path] ?? {}).filter((name) => METHOD_NAMES.includes(name));
        same(listed.sort(), methods, path);
      }
    },
  ],
];

/** @type {import('../play.mjs').Scene[]} CORS; the play needs `--cors-origin`, one of CORS_ORIGINS */
export const corsScenes = [
  [
    'CORS_ORIGINS only, with the exposed and allowed headers',
    async ({ anyone, options }) => {
      const origin = options['cors-origin'];
      const answer = fails(await anyone.get('/users', { origin }), 401, 1100);
      same(answer.headers['access-control-allow-origin'], origin, 'allowed');
      const exposed = ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id', 'X-Total-Count'];
      same(
        list(answer.headers['access-control-expose-headers']),
        exposed.map((name) => name.toLowerCase()).sort(),
        'exposed',
      );
      const asked = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'if-match' };
      const preflight = ok(await anyone.ask('OPTIONS', '/organizations', { headers: asked }), 204);
      const allowed = ['authorization', 'content-type', 'if-match', 'if-none-match', 'prefer'];
      same(list(preflight.headers['access-control-allow-headers']), allowed, 'allowed headers');
      const stranger = await anyone.get('/users', { origin: 'https://stranger.example' });
      same(stranger.headers['access-control-allow-origin'], undefined, 'no other origin');
    },
  ],
];

const list = (text) =>
  (text ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .sort();

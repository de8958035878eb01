import { RESOURCES } from '../contract.mjs';
import { fails, holds, ok, same } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} What is around the contract: §4 (Other paths), §6 */
export const scenes = {
  'without login: /, /docs, /docs/errors, /openapi.json, /health/live, /health/ready, /metrics': async ({ anyone }) => {
    for (const path of ['/', '/docs', '/docs/errors', '/openapi.json', '/health/live', '/health/ready', '/metrics']) {
      const { status } = await anyone.get(path);
      holds(status < 400, `${path} is ${status}`);
    }
  },
  '/openapi.json lists every operation': async ({ anyone }) => {
    const { paths } = ok(await anyone.get('/openapi.json')).body;
    for (const [template, { methods }] of Object.entries(RESOURCES)) {
      const listed = paths[template.replaceAll(/:(\w+)/g, '{$1}')] ?? {};
      for (const method of methods) holds(method.toLowerCase() in listed, `${method} ${template}`);
    }
  },
};

/** @type {import('../play.mjs').Scenes} CORS (contract §4); `--cors-origin` is one of CORS_ORIGINS */
export const corsScenes = {
  'CORS_ORIGINS only, with the headers that scripts may read and send': async ({ anyone, options }) => {
    const origin = options['cors-origin'];
    const simple = fails(await anyone.get('/users', { origin }), 401, 1100).headers;
    same(simple['access-control-allow-origin'], origin, 'allowed');
    const readable = ['etag', 'link', 'location', 'retry-after', 'x-request-id', 'x-total-count'];
    lists(simple['access-control-expose-headers'], readable);
    const asked = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'if-match' };
    const preflight = ok(await anyone.send('OPTIONS', '/organizations', { headers: asked }), 204).headers;
    const sendable = ['authorization', 'content-type', 'if-match', 'if-none-match', 'prefer'];
    lists(preflight['access-control-allow-headers'], sendable);
    const stranger = await anyone.get('/users', { origin: 'https://stranger.example' });
    same(stranger.headers['access-control-allow-origin'], undefined, 'no other origin');
  },
};

function lists(header = '', names) {
  const listed = header.toLowerCase().split(/\s*,\s*/);
  for (const name of names) holds(listed.includes(name), `${header} has ${name}`);
}

import { NOTHING, fresh, namedFields } from '../caller.mjs';
import { RESOURCES } from '../contract.mjs';
import { fails, holds, ok, same } from '../expect.mjs';

const ODD_IDS = [
  ...['x', 'null', 'undefined', '0', '-1', 'me', 'A'.repeat(24), 'f'.repeat(23), 'f'.repeat(25), 'g'.repeat(24)],
  ...['%00', '%2F', 'a%2Fb', '..%2F..', '%2e%2e', '__proto__', '%7B%22%24ne%22%3Anull%7D', '%F0%9F%92%A5', '%20', '*'],
  ...[`${'f'.repeat(24)}%00`, `%20${'f'.repeat(24)}`, `${'f'.repeat(24)}%0A`, '%zz', '%ff', '%', 'x'.repeat(5_000)],
];
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];

const allowed = (response) => (response.headers.allow ?? '').split(/\s*,\s*/).sort();

/** @type {import('../play.mjs').Scenes} Paths, ids and methods: contract §1.2–1.4 */
export const scenes = {
  'anything but an id does not name a record: 404, never 400 or 500': async ({ alice }) => {
    const { path } = await alice.organization();
    for (const [method, template, code] of [
      ['GET', '/organizations/:id', 1234],
      ['PUT', '/organizations/:id', 1234],
      ['DELETE', '/organizations/:id', 1234],
      ['GET', '/organizations/:id/managers', 1234],
      ['GET', '/organizations/:id/apis', 1234],
      ['GET', `${path}/managers/:id`, 1304],
      ['GET', '/users/:id', 1302],
      ['DELETE', '/sessions/:id', 1306],
      ['GET', '/apis/:id', 1303],
      ['PUT', '/apis/:id', 1303],
      ['GET', '/files/:id', 1305],
      ['DELETE', '/files/:id', 1305],
    ]) {
      const paths = ODD_IDS.map((id) => template.replace(':id', id));
      for (const response of await Promise.all(paths.map((odd) => alice.send(method, odd)))) fails(response, 404, code);
    }
  },
  'paths are exact: no trailing slash, no empty segment, case-sensitive': async ({ alice, anyone }) => {
    const { _id, path } = await alice.organization();
    const ends = ['/', '//managers', '/Managers', `/${fresh()}`];
    for (const wrong of [
      ...['/organizations/', '//organizations', '/Organizations', '/organizations//managers'],
      ...[`/organizations//managers/${_id}`, ...ends.map((end) => path + end)],
    ])
      for (const caller of [alice, anyone]) fails(await caller.get(wrong), 404, 1301);
    for (const wrong of ['/organizations//', `/organizations//managers/${alice.id}`])
      fails(await alice.delete(wrong), 404, 1301);
    for (const wrong of ['v1/organizations', fresh(), 'constructor', 'favicon.ico', '%2e%2e/etc/passwd', '%zz'])
      fails(await anyone.get(`/${wrong}`), 404, 1301);
  },
  'OPTIONS is 204 with Allow; other methods are 405 with the same Allow, and so is PATCH': async ({ anyone }) => {
    for (const [template, { methods }] of Object.entries(RESOURCES)) {
      const path = template.replaceAll(/:\w+/g, NOTHING);
      const allow = allowed(ok(await anyone.send('OPTIONS', path), 204));
      for (const method of [...methods, 'OPTIONS']) holds(allow.includes(method), `${template} allows ${method}`);
      same(allow.includes('HEAD'), allow.includes('GET'), `${template} allows HEAD if it allows GET`);
      holds(!allow.includes('PATCH'), `${template} does not allow PATCH`);
      for (const method of ALL_METHODS.filter((name) => !allow.includes(name)))
        same(allowed(fails(await anyone.send(method, path), 405, 1400)), allow, `Allow of ${method} ${template}`);
    }
  },
  'HEAD returns what GET returns, without the body': async ({ alice, anyone }) => {
    const { path } = await alice.organization();
    const queries = ['/organizations?limit=1', `/organizations?q=${fresh()}`];
    for (const url of [path, ...queries, `/users/${alice.id}`, '/sessions', `${path}/managers`]) {
      const [get, head] = [ok(await alice.get(url)), ok(await alice.send('HEAD', url))];
      for (const name of ['etag', 'link', 'content-type', 'cache-control'])
        same(head.headers[name], get.headers[name], name);
    }
    fails(await alice.send('HEAD', `/organizations/${NOTHING}`), 404);
    fails(await anyone.send('HEAD', path), 401);
    fails(await alice.send('HEAD', '/organizations?zzz=1'), 400);
  },
  'query parameters belong to GET and HEAD, elsewhere 1002; a bare ? is no query string': async ({ alice }) => {
    const made = await alice.organization();
    for (const query of ['?x=1', '?q=a', '?x', '?=']) {
      fails(await alice.put(made.path + query, made), 400, 1002);
      fails(await alice.delete(made.path + query), 400, 1002);
      fails(await alice.post(`/organizations${query}`, namedFields()), 400, 1002);
    }
    ok(await alice.put(`${made.path}?`, made));
    ok(await alice.get(`${made.path}?`));
    fails(await alice.get(`${made.path}?zzz=name`), 400, 1002);
    ok(await alice.delete(`${made.path}?`), 204);
  },
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, namedBody, newWord } from '../client.mjs';
import { RESOURCES } from '../../support/contract.mjs';
import { fails, ok } from '../expect.mjs';
import { alice, anyone, CORS_ORIGIN } from '../main.mjs';

/** Paths, ids and methods: contract §1.2–1.4; what is next to the operations: §4 */

const WRONG_IDS = [
  ...['x', 'null', '0', 'me', 'A'.repeat(24), 'f'.repeat(23), 'f'.repeat(25), '%00', '%2F', '..%2F..', '__proto__'],
  ...['%7B%22%24ne%22%3Anull%7D', `${'f'.repeat(24)}%0A`, '%zz', '%ff', 'x'.repeat(5_000)],
];
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];

const listOf = (header = '') => header.split(/\s*,\s*/).sort();

test('Anything but an id does not name a record', async () => {
  const { path } = await alice.organization();
  for (const [template, code] of [
    ['/organizations/:id', 1234],
    ['/organizations/:id/managers', 1234],
    [`${path}/managers/:id`, 1304],
    ['/users/:id', 1302],
    ['/sessions/:id', 1306],
    ['/apis/:id', 1303],
    ['/files/:id', 1305],
  ])
    for (const id of WRONG_IDS) fails(await alice.get(template.replace(':id', id)), 404, code);
});

test('Paths are exact: no trailing slash, no empty segment, case-sensitive', async () => {
  const { _id, path } = await alice.organization();
  const wrong = ['/organizations/', '//organizations', '/Organizations', `/organizations//managers/${_id}`, '/%zz'];
  for (const client of [alice, anyone])
    for (const target of [...wrong, `${path}/`, `${path}//managers`, `/${newWord()}`, '/constructor'])
      fails(await client.get(target), 404, 1301);
});

test('OPTIONS is 204 with Allow, and other methods are 405 with the same Allow', async () => {
  for (const [template, [, ...methods]] of Object.entries(RESOURCES)) {
    const path = template.replaceAll(/:\w+/g, UNKNOWN_ID);
    const allow = listOf(ok(await anyone.send('OPTIONS', path), 204).headers.allow);
    for (const method of [...methods, 'OPTIONS']) assert.ok(allow.includes(method), `${template} allows ${method}`);
    assert.equal(allow.includes('HEAD'), allow.includes('GET'));
    assert.ok(!allow.includes('PATCH'));
    for (const method of ALL_METHODS.filter((name) => !allow.includes(name))) {
      const response = fails(await anyone.send(method, path), 405, 1400);
      assert.deepEqual(listOf(response.headers.allow), allow, `Allow of ${method} ${template}`);
    }
  }
});

test('HEAD returns what GET returns, without the body', async () => {
  const { path } = await alice.organization();
  for (const target of [path, '/organizations?limit=1', '/sessions', `${path}/managers`]) {
    const [get, head] = [ok(await alice.get(target)), ok(await alice.send('HEAD', target))];
    for (const name of ['etag', 'link', 'content-type', 'cache-control'])
      assert.equal(head.headers[name], get.headers[name], name);
  }
  ok(await anyone.send('HEAD', path), 401);
});

test('Query parameters belong to GET and HEAD, and a bare ? is no query string', async () => {
  const made = await alice.organization();
  for (const query of ['?x=1', '?x', '?=']) {
    fails(await alice.put(made.path + query, made), 400, 1002);
    fails(await alice.delete(made.path + query), 400, 1002);
    fails(await alice.post(`/organizations${query}`, namedBody()), 400, 1002);
  }
  fails(await alice.get(`${made.path}?zzz=name`), 400, 1002);
  ok(await alice.put(`${made.path}?`, made));
});

test('The HTTP parser reports errors like every other one', async () => {
  fails(await anyone.get('/users', { 'x-long': 'x'.repeat(17_000) }), 431, 1006);
  fails(await anyone.get('/users', { expect: 'something' }), 417, 1006);
  fails(await anyone.get('/users', { 'x-long': 'x'.repeat(15_000) }), 401, 1100);
});

test('Browsers may call the service from CORS_ORIGINS only', async () => {
  const origin = CORS_ORIGIN;
  const { headers } = await anyone.get('/users', { origin });
  assert.equal(headers['access-control-allow-origin'], origin);
  const readable = ['etag', 'link', 'location', 'retry-after', 'x-request-id', 'x-total-count'];
  assert.deepEqual(listOf(headers['access-control-expose-headers'].toLowerCase()), readable);
  const asked = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'if-match' };
  const preflight = ok(await anyone.send('OPTIONS', '/organizations', { headers: asked }), 204).headers;
  const sendable = ['authorization', 'content-type', 'if-match', 'if-none-match', 'prefer'];
  assert.deepEqual(listOf(preflight['access-control-allow-headers'].toLowerCase()), sendable);
  const other = await anyone.get('/users', { origin: 'https://other.example' });
  assert.equal(other.headers['access-control-allow-origin'], undefined);
});

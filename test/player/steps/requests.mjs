import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { RESOURCES } from '../../support/contract.mjs';
import { UNKNOWN_ID, namedBody, newWord } from '../client.mjs';
import { created, fails, invalid, ok, sameVersion } from '../expect.mjs';
import { alice, anyone, bob, CORS_ORIGIN } from '../main.mjs';

/** Paths, order of checks, and bodies: contract §1.1–1.6; what is next to the operations: §4 */

const HUGE = ' '.repeat(65_537);
const TEXT = { 'content-type': 'text/plain' };
const BROKEN = '{"broken';
/** Bodies with headers, each with another error. */
const BODIES = [[BROKEN], [HUGE], ['x', TEXT], [{}], [{}, { 'if-match': '"x"' }]];

const valid = () => `{"name":"${newWord()}","url":"https://example.com"}`;
const post = (body, headers) => alice.post('/organizations', body, headers);
/** Sends a valid body with further members. */
const postWith = (members) => post(valid().replace('}', `,${members}}`));
const listOf = (header = '') => header.split(/\s*,\s*/).sort();

test('Paths and ids are exact', async () => {
  const { _id, path } = await alice.organization();
  for (const target of [`${path}/`, '//organizations', '/Organizations', `/organizations//managers/${_id}`, '/%zz'])
    fails(await alice.get(target), 404, 1301);
  for (const id of ['x', 'null', 'A'.repeat(24), 'f'.repeat(25), '%00', '%2F', '..%2F..', '__proto__', UNKNOWN_ID])
    fails(await alice.get(`/organizations/${id}`), 404, 1234);
});

test('OPTIONS is 204 with Allow, and other methods are 405 with the same Allow', async () => {
  for (const [template, [, ...methods]] of Object.entries(RESOURCES)) {
    const path = template.replaceAll(/:\w+/g, UNKNOWN_ID);
    const allow = listOf(ok(await anyone.send('OPTIONS', path), 204).headers.allow);
    for (const method of [...methods, 'OPTIONS']) assert.ok(allow.includes(method), `${template} allows ${method}`);
    assert.equal(allow.includes('HEAD'), allow.includes('GET'));
    const response = fails(await anyone.send('PATCH', path), 405, 1400);
    assert.deepEqual(listOf(response.headers.allow), allow, `Allow of PATCH ${template}`);
  }
});

test('HEAD returns what GET returns, without the body', async () => {
  const { path } = await alice.organization();
  for (const target of [path, '/organizations?limit=1']) {
    const [get, head] = [ok(await alice.get(target)), ok(await alice.send('HEAD', target))];
    for (const name of ['etag', 'link', 'content-type']) assert.equal(head.headers[name], get.headers[name], name);
  }
});

test('Browsers may call the service from CORS_ORIGINS only', async () => {
  const allowed = async (origin) => (await anyone.get('/users', { origin })).headers['access-control-allow-origin'];
  assert.equal(await allowed(CORS_ORIGIN), CORS_ORIGIN);
  assert.equal(await allowed('https://other.example'), undefined);
});

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

test('A body is one JSON object in UTF-8, not compressed, of at most 32 levels and 1,000 members', async () => {
  const notUtf8 = Buffer.from('7b226e616d65223a22ff227d', 'hex');
  const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
  for (const body of ['', '{"a":1}{"b":2}', '[]', 'null', notUtf8]) fails(await post(body), 400, 1001);
  for (const type of ['text/plain', 'application/json; charset=latin1', null])
    fails(await post(valid(), { 'content-type': type }), 415, 1003);
  fails(await post(gzipSync(valid()), { 'content-encoding': 'gzip' }), 415, 1003);
  created(await post(valid(), { 'content-type': 'Application/JSON;charset="UTF-8"' }));
  invalid(await postWith(`"deep":${nested(31)}`), '5003 deep');
  fails(await postWith(`"deep":${nested(32)}`), 400, 1001);
  fails(await postWith(`"many":[${Array(1000).fill(0).join()}]`), 400, 1001);
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

test('Names that JavaScript and MongoDB know are unknown fields like any other', async () => {
  for (const name of ['__proto__', 'constructor', '$set', 'name.x', '', 'Name'])
    invalid(await postWith(`${JSON.stringify(name)}:{"isAdmin":true}`), `5003 ${name}`);
  invalid(await post({ name: { $gt: '' }, url: { $regex: '.*' } }), '5002 name', '5002 url');
});

test('Text is normalized and trimmed, counted in code points, and free of control characters', async () => {
  const [word, face] = [newWord(), '\u{1F937}'];
  const decomposed = word + 'e\u0301'.repeat(255 - word.length);
  const composed = decomposed.normalize('NFC');
  const description = `${face.repeat(990)}a\r\nb`;
  const { data } = ok(await post(namedBody({ name: `\u3000 ${decomposed}\u2009`, description })), 201).body;
  assert.deepEqual([data.name, data.description], [composed, description.replace('\r', '')]);
  for (const [field, code, value] of [
    ['name', 5006, face.repeat(256)],
    ['name', 5432, 'a\u0000b'],
    ['name', 5432, 'a\u202eb'],
    ['description', 5006, face.repeat(1001)],
    ['description', 5432, 'a\rb'],
    ['url', 5006, `https://example.com/${'x'.repeat(2029)}`],
    ['url', 5007, 'ftp://example.com'],
    ['url', 5007, 'https://u@example.com'],
  ])
    invalid(await post(namedBody({ [field]: value })), `${code} ${field}`);
});

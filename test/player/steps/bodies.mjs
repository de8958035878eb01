import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { newWord } from '../client.mjs';
import { created, fails, invalid } from '../expect.mjs';
import { alice } from '../main.mjs';

/** Bodies: contract §1.5 */

const valid = () => `{"name":"${newWord()}","url":"https://example.com"}`;
const post = (body, headers) => alice.post('/organizations', body, headers);
/** Sends a valid body with further members. */
const postWith = (members) => post(valid().replace('}', `,${members}}`));

test('A body that is not a JSON object is 1001', async () => {
  const notUtf8 = Buffer.from('7b226e616d65223a22ff227d', 'hex');
  for (const body of ['', '{"name":', '{"a":1,}', '{"a":1}{"b":2}', '{"a":"\u0001"}', '[]', '"text"', 'null', notUtf8])
    fails(await post(body), 400, 1001);
});

test('A body is application/json in UTF-8, and not compressed', async () => {
  for (const type of ['text/plain', 'application/merge-patch+json', 'application/json; charset=latin1', null])
    fails(await post(valid(), { 'content-type': type }), 415, 1003);
  fails(await post(gzipSync(valid()), { 'content-encoding': 'gzip', 'content-type': 'application/json' }), 415, 1003);
  for (const type of ['application/json;charset="UTF-8"', 'Application/JSON'])
    created(await post(valid(), { 'content-type': type }));
});

test('A body has at most 32 levels and 1,000 members', async () => {
  const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
  const zeros = (count) => Array.from({ length: count }, () => 0).join();
  invalid(await postWith(`"deep":${nested(31)}`), '5003 deep');
  for (const depth of [32, 30_000]) fails(await postWith(`"deep":${nested(depth)}`), 400, 1001);
  invalid(await postWith(`"many":[{"a":1},[${zeros(994)}]]`), '5003 many');
  fails(await postWith(`"many":[{"a":1},[${zeros(995)}]]`), 400, 1001);
});

test('At most 50 field errors are listed, and the last one tells how many others there are', async () => {
  const names = Array.from({ length: 62 }, (_, index) => `m${index}`);
  const { message } = fails(await postWith(names.map((name) => `"${name}":0`).join()), 400, 1024).body;
  const titles = message.map(({ title }) => title);
  assert.deepEqual(titles, names.slice(0, 50));
  assert.match(message.at(-1).detail, /\b12\b\D*$/);
  const long = 'k'.repeat(150);
  invalid(await postWith(`"${long}":1`), `5003 ${long.slice(0, 100)}`);
});

test('Names that JavaScript and MongoDB know are unknown fields like any other', async () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', '$set', 'name.x', '', 'Name'])
    invalid(await postWith(`${JSON.stringify(name)}:{"isAdmin":true}`), `5003 ${name}`);
  invalid(await post(`{"__proto__":${valid()}}`), '5001 name', '5001 url', '5003 __proto__');
  invalid(await post({ name: { $gt: '' }, url: { $regex: '.*' } }), '5002 name', '5002 url');
  await alice.organization({ name: `${newWord()} $where`, description: '{"$ne":1}' });
});

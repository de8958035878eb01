import { gzipSync } from 'node:zlib';
import { fresh } from '../caller.mjs';
import { created, fails, holds, invalid, same } from '../expect.mjs';

const LIMIT = 65_536;
const FIELDS = '"name":"x","url":"https://example.com"';
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const padded = (text, length) => text + ' '.repeat(length - text.length);
const valid = () => `{"name":"${fresh()}","url":"https://example.com"}`;
const unknown = (count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0]));
const post = (alice, body, headers) => alice.post('/organizations', body, headers);
/** With these members after two valid fields. */
const withMembers = (alice, members) => post(alice, `{${FIELDS},${members}}`);

/** @type {import('../play.mjs').Scenes} Bodies: contract §1.5 */
export const scenes = {
  'a body that is not a JSON object: 1001': async ({ alice }) => {
    const broken = ['{', '{"name":', '{"a":1,}', "{'a':1}", '{"a":1}{"b":2}', 'nonsense', '', ' ', '{"a":NaN}'];
    const others = ['[]', '[{"name":"x"}]', '"text"', '5', 'true', 'null'];
    const notUtf8 = Buffer.from('7b226e616d65223a22ff227d', 'hex');
    for (const body of [...broken, '{"a":"\u0001"}', ...others, notUtf8])
      fails(await post(alice, body, { 'content-type': 'application/json' }), 400, 1001);
  },
  'application/json in UTF-8 and not compressed; otherwise 415 (1003)': async ({ alice }) => {
    for (const type of [
      ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonx'],
      ...['text/json', 'application/merge-patch+json', 'application/json; charset=latin1'],
      ...['application/json; charset=utf-16', 'nonsense', null],
    ])
      fails(await post(alice, valid(), { 'content-type': type }), 415, 1003);
    fails(await post(alice, gzipSync(valid()), { 'content-encoding': 'gzip' }), 415, 1003);
    for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])
      created(await post(alice, valid(), { 'content-type': type }));
  },
  '≤ 64 KiB; otherwise 413 (1004), with and without Content-Length': async ({ alice }) => {
    fails(await post(alice, padded('{"broken', LIMIT + 1)), 413, 1004);
    for (const chunked of [false, true]) {
      const send = (body) => alice.send('POST', '/organizations', { body, chunked });
      created(await send(padded(valid(), LIMIT)));
      fails(await send(padded(valid(), LIMIT + 1)), 413, 1004);
    }
  },
  '≤ 32 levels, of which the object is the first; otherwise 1001': async ({ alice }) => {
    invalid(await withMembers(alice, `"deep":${nested(31)}`), '5003 deep');
    for (const depth of [32, 30_000]) fails(await withMembers(alice, `"deep":${nested(depth)}`), 400, 1001);
    fails(await post(alice, '{"a":'.repeat(33) + '1' + '}'.repeat(33)), 400, 1001);
    created(await post(alice, { name: `${fresh()} ${'['.repeat(50)}`, url: 'https://example.com' }));
  },
  '≤ 1,000 members and array elements together; otherwise 1001': async ({ alice }) => {
    const zeros = (count) => Array.from({ length: count }, () => 0).join();
    invalid(await withMembers(alice, `"many":[${zeros(997)}]`), '5003 many');
    fails(await withMembers(alice, `"many":[${zeros(998)}]`), 400, 1001);
    invalid(await withMembers(alice, `"many":[{"a":1},[${zeros(994)}]]`), '5003 many');
    fails(await withMembers(alice, `"many":[{"a":1},[${zeros(995)}]]`), 400, 1001);
    fails(await post(alice, unknown(1_001)), 400, 1001);
    created(await post(alice, { name: fresh(), url: `https://example.com/?${','.repeat(1_500)}` }));
  },
  'at most 50 field errors; the last one then ends with the number of others': async ({ alice }) => {
    const errorsOf = async (count) => {
      const body = { name: 'x', url: 'https://example.com', ...unknown(count) };
      return fails(await post(alice, body), 400, 1024).body.message;
    };
    const errors = await errorsOf(62);
    const titles = errors.map(({ title }) => title);
    same(titles, Object.keys(unknown(50)), 'the first fifty');
    holds(/\b12\b\D*$/.test(errors.at(-1).detail), 'twelve are left out');
    holds(!/\b12\b\D*$/.test(errors.at(-2).detail), 'only the last one says so');
    const fifty = await errorsOf(50);
    same(fifty.length, 50, 'fifty fit');
    same(fifty[49].detail, fifty[48].detail.replaceAll('m48', 'm49'), 'none is left out');
  },
  'titles are cut at 100 characters': async ({ alice }) => {
    const name = 'k'.repeat(150);
    invalid(await withMembers(alice, `"${name}":1`), `5003 ${name.slice(0, 100)}`);
  },
  'names that JavaScript and MongoDB know are unknown fields like any other (5003)': async ({ alice }) => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$set', '$where', 'name.x'];
    for (const name of [...names, '', 'Name'])
      invalid(await withMembers(alice, `${JSON.stringify(name)}:{"isAdmin":true}`), `5003 ${name}`);
    const proto = await post(alice, `{"__proto__":{${FIELDS}}}`);
    invalid(proto, '5001 name', '5001 url', '5003 __proto__');
    const odd = fails(await withMembers(alice, '"\\ud800\\u0000":1'), 400, 1024).body.message;
    holds(odd.length === 1 && odd[0].code === 5003, 'a lone surrogate in a name');
    holds(odd[0].title.isWellFormed(), 'the response is well-formed');
  },
  'an operator instead of a value has the wrong type (5002)': async ({ alice }) => {
    invalid(await post(alice, { name: { $gt: '' }, url: { $regex: '.*' } }), '5002 name', '5002 url');
    const { path } = await alice.organization();
    const set = { $set: { name: 'x' }, name: 'x', url: 'https://example.com' };
    invalid(await alice.put(path, set), '5003 $set');
    await alice.organization({ name: `${fresh()} $where`, description: '{"$ne":1}' });
  },
};

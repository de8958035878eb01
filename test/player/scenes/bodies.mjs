import { gzipSync } from 'node:zlib';
import { created, fails, faulty, holds, same } from '../expect.mjs';

const LIMIT = 65_536;
const URL_FIELD = '"url":"https://example.com"';
const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth);
const padded = (text, length) => text + ' '.repeat(length - text.length);

async function poster(world) {
  const alice = await world.person('alice');
  return (body, headers) => alice.post('/organizations', body, headers);
}

const good = (world) => `{"name":"${world.word()}",${URL_FIELD}}`;

/** @type {import('../play.mjs').Scene[]} Bodies: contract §1.5 */
export const scenes = [
  [
    'a body that is not a JSON object: 1001',
    async (world) => {
      const post = await poster(world);
      const broken = [
        '{',
        '{"name":',
        '{"a":1,}',
        "{'a':1}",
        '{"a":1}{"b":2}',
        'nonsense',
        '',
        ' ',
        '{"a":NaN}',
        '{"a":"\u0001"}',
      ];
      for (const body of [...broken, '[]', '[{"name":"x"}]', '"text"', '5', 'true', 'null']) {
        fails(await post(body, { 'content-type': 'application/json' }), 400, 1001);
      }
      fails(await post(Buffer.from('7b226e616d65223a22ff227d', 'hex')), 400, 1001);
    },
  ],
  [
    'application/json in UTF-8, not compressed, else 415 (1003)',
    async (world) => {
      const post = await poster(world);
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        'text/json',
      ];
      for (const type of [
        ...types,
        'application/merge-patch+json',
        'application/json; charset=latin1',
        'application/json; charset=utf-16',
        'nonsense',
      ]) {
        fails(await post(good(world), { 'content-type': type }), 415, 1003);
      }
      fails(await post(good(world), { 'content-type': null }), 415, 1003);
      fails(await post(gzipSync(good(world)), { 'content-encoding': 'gzip' }), 415, 1003);
      for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON']) {
        created(await post(good(world), { 'content-type': type }));
      }
    },
  ],
  [
    '≤ 64 KiB, else 413 (1004), with and without Content-Length',
    async (world) => {
      const [post, alice] = [await poster(world), await world.person('alice')];
      created(await post(padded(good(world), LIMIT)));
      fails(await post(padded(good(world), LIMIT + 1)), 413, 1004);
      fails(await post(padded('{"broken', LIMIT + 1)), 413, 1004);
      created(await alice.ask('POST', '/organizations', { body: padded(good(world), LIMIT), chunked: true }));
      fails(
        await alice.ask('POST', '/organizations', { body: padded(good(world), LIMIT + 1), chunked: true }),
        413,
        1004,
      );
    },
  ],
  [
    '≤ 32 levels (the object itself is the first), else 1001',
    async (world) => {
      const post = await poster(world);
      faulty(await post(`{"name":"x",${URL_FIELD},"deep":${nested(31)}}`), [[5003, 'deep']]);
      fails(await post(`{"name":"x",${URL_FIELD},"deep":${nested(32)}}`), 400, 1001);
      fails(await post(`{"deep":${nested(30_000)}}`), 400, 1001);
      fails(await post('{"a":'.repeat(33) + '1' + '}'.repeat(33)), 400, 1001);
      const brackets = '['.repeat(50);
      created(await post(`{"name":"${world.word()} ${brackets}",${URL_FIELD}}`));
    },
  ],
  [
    '≤ 1,000 members and array elements together, else 1001',
    async (world) => {
      const post = await poster(world);
      const zeros = (count) => Array.from({ length: count }, () => 0).join();
      faulty(await post(`{"name":"x",${URL_FIELD},"many":[${zeros(997)}]}`), [[5003, 'many']]);
      fails(await post(`{"name":"x",${URL_FIELD},"many":[${zeros(998)}]}`), 400, 1001);
      faulty(await post(`{"name":"x",${URL_FIELD},"many":[{"a":1},[${zeros(994)}]]}`), [[5003, 'many']]);
      fails(await post(`{"name":"x",${URL_FIELD},"many":[{"a":1},[${zeros(995)}]]}`), 400, 1001);
      const members = Array.from({ length: 1_001 }, (_, index) => `"m${index}":0`).join();
      fails(await post(`{${members}}`), 400, 1001);
      created(await post(`{"name":"${world.word()}","url":"https://example.com/?${','.repeat(1_500)}"}`));
    },
  ],
  [
    'at most 50 faults, the last then ends with the number left out',
    async (world) => {
      const post = await poster(world);
      const unknown = (count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 0]));
      const answer = fails(await post({ name: 'x', url: 'https://example.com', ...unknown(62) }), 400, 1024);
      const faults = answer.body.message;
      same(
        faults.map(({ title }) => title),
        Object.keys(unknown(50)),
        'the first fifty',
      );
      holds(/\b12\b\D*$/.test(faults.at(-1).detail), 'twelve left out');
      holds(!/\b12\b\D*$/.test(faults.at(-2).detail), 'said at the last only');
      const fifty = fails(await post({ name: 'x', url: 'https://example.com', ...unknown(50) }), 400, 1024);
      same(fifty.body.message.length, 50, 'fifty fit');
      same(fifty.body.message[49].detail, fifty.body.message[48].detail.replaceAll('m48', 'm49'), 'none left out');
    },
  ],
  [
    'titles are cut at 100 characters',
    async (world) => {
      const post = await poster(world);
      const name = 'k'.repeat(150);
      faulty(await post({ name: 'x', url: 'https://example.com', [name]: 1 }), [[5003, name.slice(0, 100)]]);
    },
  ],
  [
    'names of JavaScript’s own and of operators are unknown fields like any other (5003)',
    async (world) => {
      const post = await poster(world);
      for (const name of [
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        'hasOwnProperty',
        '$set',
        '$where',
        'name.x',
        '',
        'Name',
      ]) {
        faulty(await post(`{"name":"x",${URL_FIELD},${JSON.stringify(name)}:{"isAdmin":true}}`), [[5003, name]]);
      }
      faulty(await post(`{"__proto__":{"name":"x","url":"https://example.com"}}`), [
        [5001, 'name'],
        [5001, 'url'],
        [5003, '__proto__'],
      ]);
      const odd = fails(await post(`{"name":"x",${URL_FIELD},"\\ud800\\u0000":1}`), 400, 1024);
      holds(odd.body.message.length === 1 && odd.body.message[0].code === 5003, 'a lone surrogate in a name');
      holds(odd.body.message[0].title.isWellFormed(), 'the answer is well-formed');
    },
  ],
  [
    'operators in the place of a value are of the wrong type (5002)',
    async (world) => {
      const post = await poster(world);
      faulty(await post({ name: { $gt: '' }, url: { $regex: '.*' } }), [
        [5002, 'name'],
        [5002, 'url'],
      ]);
      const { path } = await world.organization(await world.person('alice'));
      const alice = await world.person('alice');
      faulty(await alice.put(path, { $set: { name: 'x' }, name: 'x', url: 'https://example.com' }), [[5003, '$set']]);
      created(await post({ name: `${world.word()} $where`, url: 'https://example.com', description: '{"$ne":1}' }));
    },
  ],
];

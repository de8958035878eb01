import { created, differs, fails, faulty, holds, ok, same } from '../expect.mjs';
import { GIF, JPEG, WEBP, multipart, png } from '../images.mjs';
import { NOBODY } from '../world.mjs';

const MIB = 1_048_576;

/** Sends one part `file` and gives back the answer. */
function upload(caller, data = png(), { fileName = 'logo.png', type = 'image/png', name = 'file' } = {}) {
  const { body, headers } = multipart([{ name, fileName, type, data }]);
  return caller.post('/files', body, headers);
}

const send = (caller, parts) => {
  const { body, headers } = multipart(parts);
  return caller.post('/files', body, headers);
};

const logoOf = (caller, organization, organizationLogoFileId) =>
  caller.put(organization.path, { ...organization, organizationLogoFileId });

/** @type {import('../play.mjs').Scene[]} Files: contract §3, §4 */
export const scenes = [
  [
    'POST /files takes an image, GET /files/:id gives its bytes',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const data = png(3, 2);
      const answer = await upload(alice, data);
      const { _id, createdAt, ...rest } = created(answer);
      const facts = {
        fileName: 'logo.png',
        contentType: 'image/png',
        size: data.length,
        createdBy: alice.id,
        organizationId: null,
      };
      same(rest, facts, 'the record');
      fails(await bob.get(answer.headers.location), 403, 1200);
      const read = ok(await alice.get(answer.headers.location));
      holds(read.bytes.equals(data), 'the bytes');
      same(
        [read.headers['content-type'], read.headers['content-length']],
        ['image/png', String(data.length)],
        'type and length',
      );
      holds(read.headers['content-security-policy'], 'its own CSP');
      ok(await alice.get(`/files/${_id}`, { 'if-none-match': read.headers.etag }), 304);
      const head = ok(await alice.ask('HEAD', `/files/${_id}`));
      same([head.headers.etag, head.headers['content-type']], [read.headers.etag, 'image/png'], 'HEAD');
      ok(await alice.delete(`/files/${_id}`), 204);
      fails(await alice.get(`/files/${_id}`), 404, 1305);
    },
  ],
  [
    'PNG, JPEG, GIF, WebP by content, whatever the part says; anything else 415 (1003)',
    async (world) => {
      const me = await world.newcomer();
      for (const [data, contentType] of [
        [GIF, 'image/gif'],
        [JPEG, 'image/jpeg'],
        [WEBP, 'image/webp'],
        [png(), 'image/png'],
      ]) {
        same(
          created(await upload(me, data, { type: 'text/html', fileName: 'x.html' })).contentType,
          contentType,
          contentType,
        );
      }
      for (const data of [
        'plain text',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        '<html>',
        'BM....',
        '%PDF-1.7',
        '',
      ]) {
        fails(await upload(me, data), 415, 1003);
      }
    },
  ],
  [
    'readable dimensions ≤ 4096 × 4096: else 5009 on file; returned as uploaded, even if truncated',
    async (world) => {
      const me = await world.newcomer();
      for (const [width, height] of [
        [4096, 1],
        [1, 4096],
      ])
        created(await upload(me, png(width, height)));
      for (const [width, height] of [
        [4097, 1],
        [1, 4097],
        [0, 1],
      ])
        faulty(await upload(me, png(width, height)), [[5009, 'file']]);
      faulty(await upload(me, png().subarray(0, 20)), [[5009, 'file']]);
      for (const data of [png(9, 9).subarray(0, -16), Buffer.concat([GIF, Buffer.from('<html>')])]) {
        const { _id } = created(await upload(me, data));
        holds(ok(await me.get(`/files/${_id}`)).bytes.equals(data), 'the bytes');
      }
    },
  ],
  [
    '≤ 1 MiB, else 413 (1004)',
    async (world) => {
      const me = await world.newcomer();
      same(created(await upload(me, png(1, 1, MIB))).size, MIB, 'exactly 1 MiB');
      fails(await upload(me, png(1, 1, MIB + 1)), 413, 1004);
    },
  ],
  [
    'one part `file`: none 5001, another 5003; broken multipart 1001; another media type 415',
    async (world) => {
      const me = await world.newcomer();
      const file = { name: 'file', fileName: 'a.png', type: 'image/png', data: png() };
      faulty(await send(me, []), [[5001, 'file']]);
      faulty(await send(me, [file, { name: 'other', data: 'x' }]), [[5003, 'other']]);
      faulty(await send(me, [{ name: 'other', data: 'x' }]), [
        [5001, 'file'],
        [5003, 'other'],
      ]);
      const { body, headers } = multipart([file]);
      fails(await me.post('/files', body.subarray(0, -30), headers), 400, 1001);
      fails(await me.post('/files', 'nonsense', headers), 400, 1001);
      fails(await me.post('/files', { file: 'x' }), 415, 1003);
      fails(await me.post('/files', png(), { 'content-type': 'image/png' }), 415, 1003);
      fails(await me.post('/files?x=1', body, headers), 400, 1002);
      fails(await world.anyone.post('/files', body, headers), 401, 1100);
    },
  ],
  [
    'GET any account, DELETE creator and Admin; nobody there 1305',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { _id } = created(await upload(alice));
      fails(await world.anyone.get(`/files/${_id}`), 401, 1100);
      fails(await bob.delete(`/files/${_id}`), 403, 1200);
      fails(await bob.delete(`/files/${NOBODY}`), 404, 1305);
      fails(await bob.get(`/files/${NOBODY}`), 404, 1305);
      ok(await world.admin.delete(`/files/${_id}`), 204);
    },
  ],
  [
    'a logo: a file that the caller uploaded and that is no other Organization’s; else 5012',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const [one, two] = [await world.organization(alice), await world.organization(alice)];
      const [mine, foreign] = [created(await upload(alice))._id, created(await upload(bob))._id];
      faulty(await logoOf(alice, one, foreign), [[5012, 'organizationLogoFileId']]);
      const answer = ok(await logoOf(alice, one, mine));
      same(answer.body.data.organizationLogoFileId, mine, 'attached');
      differs(answer.headers.etag, one.etag, 'a new tag');
      faulty(await logoOf(alice, two, mine), [[5012, 'organizationLogoFileId']]);
      ok(await world.admin.put(two.path, { ...two, organizationLogoFileId: foreign }));
      ok(await alice.put(two.path, { ...two, description: 'x', organizationLogoFileId: foreign }));
      fails(await alice.delete(`/files/${mine}`), 409, 1509);
      ok(await alice.put(one.path, one));
      same(ok(await alice.get(one.path)).body.organizationLogoFileId, null, 'cleared by PUT');
    },
  ],
  [
    'DELETE of an Organization takes its logo with it',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      const { _id } = created(await upload(alice));
      ok(await logoOf(alice, made, _id));
      ok(await alice.delete(made.path), 204);
      fails(await alice.get(`/files/${_id}`), 404, 1305);
    },
  ],
  [
    '≤ 20 unattached files a user (1511); they go with the user',
    async (world) => {
      const me = await world.newcomer();
      const found = [];
      for (let count = 0; count < 20; count += 1) found.push(created(await upload(me))._id);
      fails(await upload(me), 409, 1511);
      ok(await me.delete(`/files/${found[0]}`), 204);
      created(await upload(me));
      ok(await me.delete(`/users/${me.id}`), 204);
      fails(await world.admin.get(`/files/${found[1]}`), 404, 1305);
    },
  ],
];

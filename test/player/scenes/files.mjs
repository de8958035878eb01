import { NOTHING } from '../caller.mjs';
import { created, differs, fails, has, holds, invalid, ok, same } from '../expect.mjs';
import { GIF, JPEG, WEBP, multipart, png } from '../images.mjs';

const MIB = 1_048_576;

const send = (caller, parts) => {
  const { body, headers } = multipart(parts);
  return caller.post('/files', body, headers);
};

/** Sends one part named `file`. */
const upload = (caller, data = png(), { fileName = 'logo.png', type = 'image/png' } = {}) =>
  send(caller, [{ name: 'file', fileName, type, data }]);

const logoOf = (caller, organization, organizationLogoFileId) =>
  caller.put(organization.path, { ...organization, organizationLogoFileId });

/** @type {import('../play.mjs').Scenes} Files: contract §3, §4 */
export const scenes = {
  'POST /files uploads an image, and GET /files/:id returns its bytes': async ({ alice, bob }) => {
    const data = png(3, 2);
    const response = await upload(alice, data);
    const { _id, ...record } = created(response);
    has(record, { fileName: 'logo.png', contentType: 'image/png', size: data.length });
    has(record, { createdBy: alice.id, organizationId: null });
    fails(await bob.get(response.headers.location), 403, 1200);
    const read = ok(await alice.get(response.headers.location));
    holds(read.bytes.equals(data), 'the bytes');
    has(read.headers, { 'content-type': 'image/png', 'content-length': String(data.length) });
    holds(read.headers['content-security-policy'], 'its own CSP');
    ok(await alice.get(`/files/${_id}`, { 'if-none-match': read.headers.etag }), 304);
    const head = ok(await alice.send('HEAD', `/files/${_id}`));
    has(head.headers, { etag: read.headers.etag, 'content-type': 'image/png' }, 'HEAD');
    ok(await alice.delete(`/files/${_id}`), 204);
    fails(await alice.get(`/files/${_id}`), 404, 1305);
  },
  'PNG, JPEG, GIF or WebP by content, not by name or type; otherwise 415 (1003)': async ({ newcomer }) => {
    const me = await newcomer();
    for (const [data, contentType] of [
      [GIF, 'image/gif'],
      [JPEG, 'image/jpeg'],
      [WEBP, 'image/webp'],
      [png(), 'image/png'],
    ]) {
      const disguised = { type: 'text/html', fileName: 'x.html' };
      same(created(await upload(me, data, disguised)).contentType, contentType);
    }
    for (const data of ['plain text', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', 'BM....', '%PDF-1.7', ''])
      fails(await upload(me, data), 415, 1003);
  },
  'dimensions that can be read, ≤ 4096 × 4096; otherwise 5009. A truncated image is kept': async ({ newcomer }) => {
    const me = await newcomer();
    for (const image of [png(4096, 1), png(1, 4096)]) created(await upload(me, image));
    for (const image of [png(4097, 1), png(1, 4097), png(0, 1), png().subarray(0, 20)])
      invalid(await upload(me, image), '5009 file');
    for (const data of [png(9, 9).subarray(0, -16), Buffer.concat([GIF, Buffer.from('<html>')])]) {
      const { _id } = created(await upload(me, data));
      holds(ok(await me.get(`/files/${_id}`)).bytes.equals(data), 'the bytes');
    }
  },
  '≤ 1 MiB; otherwise 413 (1004)': async ({ newcomer }) => {
    const me = await newcomer();
    same(created(await upload(me, png(1, 1, MIB))).size, MIB, 'exactly 1 MiB');
    fails(await upload(me, png(1, 1, MIB + 1)), 413, 1004);
  },
  'one part named file: none 5001, another 5003; broken 1001; no multipart 415': async ({ anyone, newcomer }) => {
    const me = await newcomer();
    const file = { name: 'file', fileName: 'a.png', type: 'image/png', data: png() };
    invalid(await send(me, []), '5001 file');
    invalid(await send(me, [file, { name: 'other', data: 'x' }]), '5003 other');
    invalid(await send(me, [{ name: 'other', data: 'x' }]), '5001 file', '5003 other');
    const { body, headers } = multipart([file]);
    fails(await me.post('/files', body.subarray(0, -30), headers), 400, 1001);
    fails(await me.post('/files', 'nonsense', headers), 400, 1001);
    fails(await me.post('/files', { file: 'x' }), 415, 1003);
    fails(await me.post('/files', png(), { 'content-type': 'image/png' }), 415, 1003);
    fails(await me.post('/files?x=1', body, headers), 400, 1002);
    fails(await anyone.post('/files', body, headers), 401, 1100);
  },
  'a File is for its uploader and Admins; 404 (1305) before 403': async ({ alice, bob, admin, anyone }) => {
    const { _id } = created(await upload(alice));
    fails(await anyone.get(`/files/${_id}`), 401, 1100);
    fails(await bob.delete(`/files/${_id}`), 403, 1200);
    fails(await bob.delete(`/files/${NOTHING}`), 404, 1305);
    fails(await bob.get(`/files/${NOTHING}`), 404, 1305);
    ok(await admin.delete(`/files/${_id}`), 204);
  },
  'a logo is a File of the caller, and of no other Organization; otherwise 5012': async ({ alice, bob, admin }) => {
    const [one, two] = [await alice.organization(), await alice.organization()];
    const [mine, foreign] = [created(await upload(alice))._id, created(await upload(bob))._id];
    invalid(await logoOf(alice, one, foreign), '5012 organizationLogoFileId');
    const response = ok(await logoOf(alice, one, mine));
    same(response.body.data.organizationLogoFileId, mine, 'attached');
    differs(response.headers.etag, one.etag, 'a new ETag');
    invalid(await logoOf(alice, two, mine), '5012 organizationLogoFileId');
    ok(await admin.put(two.path, { ...two, organizationLogoFileId: foreign }));
    ok(await alice.put(two.path, { ...two, description: 'x', organizationLogoFileId: foreign }));
    fails(await alice.delete(`/files/${mine}`), 409, 1509);
    ok(await alice.put(one.path, one));
    same(ok(await alice.get(one.path)).body.organizationLogoFileId, null, 'cleared by PUT');
  },
  'DELETE of an Organization deletes its logo': async ({ alice }) => {
    const made = await alice.organization();
    const { _id } = created(await upload(alice));
    ok(await logoOf(alice, made, _id));
    ok(await alice.delete(made.path), 204);
    fails(await alice.get(`/files/${_id}`), 404, 1305);
  },
  'a User has ≤ 20 Files that are not a logo (1511); they are deleted with the User': async ({ admin, newcomer }) => {
    const me = await newcomer();
    const found = [];
    for (let count = 0; count < 20; count += 1) found.push(created(await upload(me))._id);
    fails(await upload(me), 409, 1511);
    ok(await me.delete(`/files/${found[0]}`), 204);
    created(await upload(me));
    ok(await me.delete(`/users/${me.id}`), 204);
    fails(await admin.get(`/files/${found[1]}`), 404, 1305);
  },
};

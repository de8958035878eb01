import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, png } from '../../support/uploads.mjs';
import { UNKNOWN_ID } from '../client.mjs';
import { created, fails, has, invalid, ok } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

/** Files: contract §3, §4 */

const MIB = 1_048_576;

/** Images of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const JPEG = Buffer.from(`ffd8ffdb004300${'01'.repeat(64)}ffc0000b080001000101011100ffda0008010100003f003fffd9`, 'hex');

const send = async (client, ...parts) => {
  const { body, headers } = await form(...parts);
  return client.post('/files', body, headers);
};
const upload = (client, data = png(), file = {}) => send(client, { data, ...file });
const uploaded = async (client, data, file) => created(await upload(client, data, file));
const putLogo = (client, organization, organizationLogoFileId) =>
  client.put(organization.path, { ...organization, organizationLogoFileId });

test('POST /files uploads an image, and GET /files/:id returns its bytes', async () => {
  const data = png(3, 2);
  const response = await upload(alice, data);
  const path = response.headers.location;
  const file = { fileName: 'logo.png', contentType: 'image/png', size: data.length };
  has(created(response), { ...file, createdBy: alice.id, organizationId: null });
  const { bytes, headers } = ok(await alice.get(path));
  assert.ok(bytes.equals(data));
  has(headers, { 'content-type': 'image/png', 'content-length': String(data.length) });
  assert.ok(headers['content-security-policy']);
  ok(await alice.get(path, { 'if-none-match': headers.etag }), 304);
  has(ok(await alice.send('HEAD', path)).headers, { etag: headers.etag, 'content-type': 'image/png' });
  ok(await alice.delete(path), 204);
  fails(await alice.get(path), 404, 1305);
});

test('The type of an image is read from its content', async () => {
  const me = await newUser();
  for (const [data, contentType] of [
    [GIF, 'image/gif'],
    [JPEG, 'image/jpeg'],
    [WEBP, 'image/webp'],
    [png(), 'image/png'],
  ])
    has(await uploaded(me, data, { fileName: 'x.html', type: 'text/html' }), { contentType });
  for (const data of ['', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', '%PDF-1.7'])
    fails(await upload(me, data), 415, 1003);
});

test('An image has at most 4096 × 4096 pixels and 1 MiB, and is kept byte by byte', async () => {
  const me = await newUser();
  for (const image of [png(4097, 1), png(1, 4097), png().subarray(0, 20)])
    invalid(await upload(me, image), '5009 file');
  fails(await upload(me, png(1, 1, MIB + 1)), 413, 1004);
  for (const data of [png(4096, 1), png(1, 1, MIB), png(9, 9).subarray(0, -16)]) {
    const { _id } = await uploaded(me, data);
    assert.ok(ok(await me.get(`/files/${_id}`)).bytes.equals(data));
  }
});

test('An upload is multipart/form-data with one part, named file', async () => {
  const [file, other] = [{ data: png() }, { name: 'other', data: 'x' }];
  const { body, headers } = await form(file);
  invalid(await send(alice), '5001 file');
  invalid(await send(alice, file, other), '5003 other');
  invalid(await send(alice, other), '5001 file', '5003 other');
  fails(await alice.post('/files', body.subarray(0, -30), headers), 400, 1001);
  fails(await alice.post('/files', { file: 'x' }), 415, 1003);
  fails(await anyone.post('/files', body, headers), 401, 1100);
});

test('A File is for its uploader and Admins, and 404 comes before 403', async () => {
  const path = `/files/${(await uploaded(alice))._id}`;
  fails(await anyone.get(path), 401, 1100);
  for (const method of ['GET', 'DELETE']) {
    fails(await bob.send(method, `/files/${UNKNOWN_ID}`), 404, 1305);
    fails(await bob.send(method, path), 403, 1200);
  }
  ok(await admin.delete(path), 204);
});

test('A logo is a File of the caller, and of no other Organization', async () => {
  const [one, two] = [await alice.organization(), await alice.organization()];
  const [mine, foreign] = [(await uploaded(alice))._id, (await uploaded(bob))._id];
  invalid(await putLogo(alice, one, foreign), '5012 organizationLogoFileId');
  has(ok(await putLogo(alice, one, mine)).body.data, { organizationLogoFileId: mine });
  ok(await bob.get(`/files/${mine}`));
  invalid(await putLogo(alice, two, mine), '5012 organizationLogoFileId');
  ok(await putLogo(admin, two, foreign));
  ok(await alice.put(two.path, { ...two, description: 'x', organizationLogoFileId: foreign }));
  fails(await alice.delete(`/files/${mine}`), 409, 1509);
  has(ok(await alice.put(one.path, one)).body.data, { organizationLogoFileId: null });
  ok(await alice.delete(two.path), 204);
  fails(await bob.get(`/files/${foreign}`), 404, 1305);
});

test('A User has at most 20 Files that are not a logo, and they are deleted with the User', async () => {
  const me = await newUser();
  const found = [];
  for (let count = 0; count < 20; count += 1) found.push(`/files/${(await uploaded(me))._id}`);
  fails(await upload(me), 409, 1511);
  ok(await me.delete(found[0]), 204);
  created(await upload(me));
  ok(await me.delete(`/users/${me.id}`), 204);
  fails(await admin.get(found[1]), 404, 1305);
});

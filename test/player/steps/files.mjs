import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, png } from '../../support/uploads.mjs';
import { created, fails, has, invalid, ok } from '../expect.mjs';
import { admin, alice, bob } from '../main.mjs';

/** Files: contract §3, §4 */

const MIB = 1_048_576;

const send = async (client, ...parts) => {
  const { body, headers } = await form(...parts);
  return client.post('/files', body, headers);
};
const upload = (client, data = png(), file = {}) => send(client, { data, ...file });
const uploaded = async (client) => created(await upload(client))._id;
const putLogo = (client, organization, organizationLogoFileId) =>
  client.put(organization.path, { ...organization, organizationLogoFileId });

test('POST /files uploads an image, whose type is read from its content; its uploader and Admins use it', async () => {
  const data = png(4096, 1, MIB);
  const response = await upload(alice, data, { fileName: 'x.html', type: 'text/html' });
  const path = response.headers.location;
  const file = { fileName: 'x.html', contentType: 'image/png', size: data.length };
  has(created(response), { ...file, createdBy: alice.id, organizationId: null });
  const { bytes, headers } = ok(await alice.get(path));
  assert.ok(bytes.equals(data));
  has(headers, { 'content-type': 'image/png', 'content-length': String(data.length) });
  ok(await alice.get(path, { 'if-none-match': headers.etag }), 304);
  for (const method of ['GET', 'DELETE']) fails(await bob.send(method, path), 403, 1200);
  ok(await admin.delete(path), 204);
  fails(await alice.get(path), 404, 1305);
});

test('A logo is a File of the caller, and of no other Organization', async () => {
  const [one, two] = [await alice.organization(), await alice.organization()];
  const [mine, foreign] = [await uploaded(alice), await uploaded(bob)];
  invalid(await putLogo(alice, one, foreign), '5012 organizationLogoFileId');
  has(ok(await putLogo(alice, one, mine)).body.data, { organizationLogoFileId: mine });
  ok(await bob.get(`/files/${mine}`));
  invalid(await putLogo(alice, two, mine), '5012 organizationLogoFileId');
  ok(await putLogo(admin, two, foreign));
  fails(await alice.delete(`/files/${mine}`), 409, 1509);
  has(ok(await alice.put(one.path, one)).body.data, { organizationLogoFileId: null });
  ok(await alice.delete(two.path), 204);
  fails(await bob.get(`/files/${foreign}`), 404, 1305);
});

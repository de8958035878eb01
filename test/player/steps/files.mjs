import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, png } from '../../support/uploads.mjs';
import { created, fails, has, ok } from '../expect.mjs';
import { admin, alice, bob } from '../main.mjs';

/** Files: contract §3, §4 */

const MIB = 1_048_576;

test('POST /files uploads an image, whose type is read from its content; its uploader and Admins use it', async () => {
  const data = png(4096, 1, MIB);
  const upload = await form({ data, fileName: 'x.html', type: 'text/html' });
  const response = await alice.post('/files', upload.body, upload.headers);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, ok, oneWins, sameVersion } from '../expect.mjs';
import { alice } from '../main.mjs';

/** ETag, If-Match, If-None-Match: contract §2 */

test('If-None-Match on GET and HEAD is 304 with the ETag', async () => {
  const { path, etag } = await alice.organization();
  for (const value of [etag, `"x",${etag} , "y"`, `W/${etag}`, '*'])
    for (const method of ['GET', 'HEAD'])
      assert.equal(ok(await alice.send(method, path, { headers: { 'if-none-match': value } }), 304).headers.etag, etag);
  ok(await alice.get(path, { 'if-none-match': '"x"' }));
});

test('If-Match on PUT and DELETE is the ETag, a list with it, or *', async () => {
  const made = await alice.organization();
  let { etag } = made;
  for (const form of [etag, `"x",%,"y"`, '*']) {
    const headers = { 'if-match': form.replace('%', etag) };
    const response = ok(await alice.put(made.path, { ...made, description: form }, headers));
    assert.notEqual(response.headers.etag, etag);
    ({ etag } = response.headers);
  }
  for (const value of [made.etag, `W/${etag}`, etag.slice(1, -1)]) {
    fails(await alice.put(made.path, { ...made, description: 'lost' }, { 'if-match': value }), 412, 1600);
    fails(await alice.delete(made.path, { 'if-match': value }), 412, 1600);
  }
  ok(await alice.delete(made.path, { 'if-match': etag }), 204);
  fails(await alice.delete(made.path, { 'if-match': '*' }), 404, 1234);
});

test('Of several PUTs with one ETag at once, one succeeds; without it, each is applied', async () => {
  const made = await alice.organization();
  const put = (description, headers) => alice.put(made.path, { ...made, description }, headers);
  const conditional = ['1', '2', '3', '4'].map((text) => put(text, { 'if-match': made.etag }));
  const winner = oneWins(await Promise.all(conditional), 200, 412, 1600);
  sameVersion(await alice.get(made.path), winner);
  const responses = await Promise.all(['5', '6', '7', '8'].map((text) => put(text)));
  assert.equal(new Set(responses.map((response) => ok(response).headers.etag)).size, 4);
});

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
  for (const value of ['"x"', etag.slice(1, -1), '""']) ok(await alice.get(path, { 'if-none-match': value }));
});

test('If-Match on PUT and DELETE is the ETag, a list with it, or *', async () => {
  const made = await alice.organization();
  let { etag } = made;
  for (const [description, form] of Object.entries({
    tag: (tag) => tag,
    list: (tag) => `"x",${tag},"y"`,
    any: () => '*',
  })) {
    const response = ok(await alice.put(made.path, { ...made, description }, { 'if-match': form(etag) }));
    assert.notEqual(response.headers.etag, etag);
    ({ etag } = response.headers);
  }
  for (const value of [made.etag, '"x"', `W/${etag}`, etag.slice(1, -1), '"*"']) {
    fails(await alice.put(made.path, { ...made, description: 'lost' }, { 'if-match': value }), 412, 1600);
    fails(await alice.delete(made.path, { 'if-match': value }), 412, 1600);
  }
  const read = ok(await alice.get(made.path));
  assert.deepEqual([read.body.description, read.headers.etag], ['any', etag]);
  ok(await alice.delete(made.path, { 'if-match': etag }), 204);
  fails(await alice.delete(made.path, { 'if-match': '*' }), 404, 1234);
});

test('A PUT that changes nothing keeps updatedAt and the ETag', async () => {
  const made = await alice.organization({ description: 'a\nb' });
  for (const body of [made, { name: made.name, url: made.url, description: ' a\r\nb ' }])
    for (const headers of [{}, { 'if-match': made.etag }]) sameVersion(await alice.put(made.path, body, headers), made);
  sameVersion(await alice.get(made.path), made);
});

test('Of several PUTs with one ETag at once, one succeeds', async () => {
  const made = await alice.organization();
  const put = (description) => alice.put(made.path, { ...made, description }, { 'if-match': made.etag });
  const winner = oneWins(await Promise.all(['1', '2', '3', '4'].map(put)), 200, 412, 1600);
  sameVersion(await alice.get(made.path), winner);
});

test('A PUT without If-Match that loses a race is applied again', async () => {
  const made = await alice.organization();
  const descriptions = ['1', '2', '3', '4'];
  const responses = await Promise.all(
    descriptions.map((description) => alice.put(made.path, { ...made, description })),
  );
  const stored = responses.map((response) => ok(response).body.data.description);
  assert.deepEqual(stored, descriptions);
  const tags = responses.map(({ headers }) => headers.etag);
  assert.equal(new Set(tags).size, 4);
  assert.ok(tags.includes(ok(await alice.get(made.path)).headers.etag));
});

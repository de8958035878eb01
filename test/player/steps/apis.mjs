import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedBody, newWord } from '../client.mjs';
import { created, fails, has, ids, ok, sameVersion } from '../expect.mjs';
import { admin, alice, bob } from '../main.mjs';

/** APIs: contract §3, §4 */

const PUBLIC = { isPublic: true };
const DEFAULTS = { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null };

test('POST /organizations/:id/apis fills in defaults, and PUT /apis/:id replaces', async () => {
  const organization = await alice.organization();
  const body = namedBody();
  const response = await alice.post(`${organization.path}/apis`, body);
  const record = created(response);
  has(record, { ...body, ...DEFAULTS, organizationId: organization._id, createdBy: alice.id, slug: body.name });
  const path = `/apis/${record._id}`;
  sameVersion(await alice.get(path), response);
  const fields = { ...PUBLIC, lifecycleStatus: 'testing', documentationUrl: 'https://example.com' };
  has(ok(await alice.put(path, { ...record, ...fields })).body.data, fields);
  has(ok(await alice.put(path, body)).body.data, DEFAULTS);
  ok(await alice.delete(path), 204);
  fails(await alice.get(path), 404, 1303);
});

test('A private API is for Managers and Admins, also in lists', async () => {
  const organization = await alice.organization();
  const apis = `${organization.path}/apis`;
  const word = newWord();
  const open = await alice.api(organization, { ...PUBLIC, description: `x ${word}`, lifecycleStatus: 'production' });
  const closed = await alice.api(organization, { url: `https://example.com/${word}` });
  ok(await bob.get(open.path));
  fails(await bob.get(closed.path), 403, 1200);
  fails(await bob.post(apis, {}), 403, 1200);
  for (const method of ['PUT', 'DELETE']) fails(await bob.send(method, open.path), 403, 1200);
  for (const [client, path, ...expected] of [
    [alice, apis, open, closed],
    [bob, apis, open],
    [admin, `/apis?q=${word.toUpperCase()}`, open, closed],
    [bob, `/apis?q=${word}`, open],
    [alice, `/apis?q=${word}&organizationId=${organization._id}&lifecycleStatus=design`, closed],
    [bob, `/apis?slug=${closed.slug}`],
  ]) {
    const expectedIds = expected.map((api) => api._id);
    assert.deepEqual(ids(await client.get(path)), expectedIds, path);
  }
  fails(await alice.get('/apis?lifecycleStatus=dead'), 400, 1002);
});

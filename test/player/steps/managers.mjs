import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created, fails, has, ids, ok, sameVersion } from '../expect.mjs';
import { admin, alice, bob, newUser } from '../main.mjs';

/** Managers: contract §3, §4 */

test('POST of a Manager takes a userId, a username or an e-mail address', async () => {
  const made = await alice.organization();
  const users = [await newUser(), await newUser(), await newUser()].map(({ user }) => user);
  const bodies = [
    { userId: users[0]._id },
    { username: users[1].username.toUpperCase() },
    { email: users[2].email.toUpperCase() },
  ];
  for (const [index, body] of bodies.entries()) {
    const response = await alice.post(`${made.path}/managers`, body);
    const { _id, username, companyName } = users[index];
    has(created(response), { _id, username, companyName, createdBy: alice.id });
    sameVersion(await alice.get(response.headers.location), response);
  }
  const expected = [alice.user, ...users].map(({ _id }) => _id);
  assert.deepEqual(ids(await admin.get(`${made.path}/managers`)), expected);
  const after = ok(await admin.get(made.path));
  assert.deepEqual(after.body.managerIds, expected);
  assert.notEqual(after.headers.etag, made.etag);
});

test('Every account reads Managers, Managers and Admins change them; the last one stays', async () => {
  const { path } = await alice.organization();
  const managers = `${path}/managers`;
  assert.deepEqual(ids(await bob.get(managers)), [alice.id]);
  ok(await bob.get(`${managers}/${alice.id}`));
  fails(await bob.post(managers, { userId: bob.id }), 403, 1200);
  fails(await bob.delete(`${managers}/${alice.id}`), 403, 1200);
  fails(await bob.get(`${managers}/${bob.id}`), 404, 1304);
  for (const client of [alice, admin]) fails(await client.delete(`${managers}/${alice.id}`), 409, 1506);
  const { headers } = await alice.post(managers, { userId: bob.id });
  assert.deepEqual(ids(await alice.get(`${managers}?skip=1&limit=1`)), [bob.id]);
  assert.deepEqual(ids(await alice.get(`${managers}?q=${bob.user.username.toUpperCase()}`)), [bob.id]);
  fails(await alice.get(`${managers}?after=${alice.id}`), 400, 1002);
  fails(await alice.delete(`${managers}/${bob.id}`, { 'if-match': '"x"' }), 412, 1600);
  ok(await alice.delete(`${managers}/${bob.id}`, { 'if-match': headers.etag }), 204);
});

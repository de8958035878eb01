import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, oneWins, sameVersion } from '../expect.mjs';
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

test('POST of a Manager names exactly one User who exists', async () => {
  const { path } = await alice.organization();
  const { _id: userId, username, email } = bob.user;
  for (const [body, ...errors] of [
    [{}, '5001 userId'],
    [{ userId, username, email, zzz: 1 }, '5003 username', '5003 email', '5003 zzz'],
    [{ userId: UNKNOWN_ID }, '5012 userId'],
  ])
    invalid(await alice.post(`${path}/managers`, body), ...errors);
});

test('A person becomes a Manager only once, also in a race', async () => {
  const made = await alice.organization();
  const responses = await Promise.all([1, 2, 3, 4].map(() => alice.post(`${made.path}/managers`, { userId: bob.id })));
  oneWins(responses, 201, 409, 1504);
  assert.deepEqual(ok(await alice.get(made.path)).body.managerIds, [alice.id, bob.id]);
});

test('A Manager and its ETag follow the User; Admins and Managers see e-mail addresses', async () => {
  const [me, other] = [await newUser(), await newUser()];
  const managers = `${(await me.organization()).path}/managers`;
  created(await me.post(managers, { userId: other.id }));
  const emails = async (client) => ok(await client.get(managers)).body.data.map(({ email }) => email);
  for (const client of [me, admin]) assert.deepEqual(await emails(client), [me.user.email, other.user.email]);
  assert.deepEqual(await emails(await newUser()), [undefined, undefined]);
  const before = ok(await me.get(`${managers}/${me.id}`));
  ok(await me.put(`/users/${me.id}`, { ...me.user, companyName: 'Renamed Ltd' }));
  const after = ok(await me.get(`${managers}/${me.id}`, { 'if-none-match': before.headers.etag }));
  assert.equal(after.body.companyName, 'Renamed Ltd');
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

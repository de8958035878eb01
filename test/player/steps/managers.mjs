import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, newWord } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, oneWins, sameVersion, tick } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

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
  assert.deepEqual(ok(await admin.get(made.path)).body.managerIds, expected);
});

test('POST of a Manager names exactly one User who exists', async () => {
  const { path } = await alice.organization();
  const { _id: userId, username, email } = bob.user;
  for (const [body, ...errors] of [
    [{}, '5001 userId'],
    [{ userId, username, email, zzz: 1 }, '5003 username', '5003 email', '5003 zzz'],
    [{ userId: { $ne: '' } }, '5002 userId'],
    [{ userId: UNKNOWN_ID }, '5012 userId'],
    [{ username: newWord() }, '5012 username'],
    [{ email: `${newWord()}@example.com` }, '5012 email'],
  ])
    invalid(await alice.post(`${path}/managers`, body), ...errors);
});

test('A person becomes a Manager only once, also in a race', async () => {
  const made = await alice.organization();
  const responses = await Promise.all([1, 2, 3, 4].map(() => alice.post(`${made.path}/managers`, { userId: bob.id })));
  oneWins(responses, 201, 409, 1504);
  assert.deepEqual(ok(await alice.get(made.path)).body.managerIds, [alice.id, bob.id]);
});

test('A change of Managers changes the revision and updatedAt of the Organization', async () => {
  const made = await alice.organization();
  await tick();
  created(await alice.post(`${made.path}/managers`, { userId: bob.id }));
  const joined = ok(await alice.get(made.path));
  assert.ok(joined.body.updatedAt > made.updatedAt);
  ok(await alice.delete(`${made.path}/managers/${bob.id}`), 204);
  const left = ok(await alice.get(made.path));
  assert.equal(new Set([made.etag, joined.headers.etag, left.headers.etag]).size, 3);
});

test('Only Admins and that person see the e-mail address of a Manager', async () => {
  const { path } = await alice.organization();
  created(await alice.post(`${path}/managers`, { userId: bob.id }));
  for (const [client, ...expected] of [
    [alice, alice.user.email, undefined],
    [admin, alice.user.email, bob.user.email],
  ]) {
    const list = ok(await client.get(`${path}/managers`)).body.data;
    assert.deepEqual(
      list.map(({ email }) => email),
      expected,
    );
    assert.equal(ok(await client.get(`${path}/managers/${bob.id}`)).body.email, expected[1]);
  }
});

test('A Manager and its ETag follow the fields of the User', async () => {
  const me = await newUser();
  const path = `${(await me.organization()).path}/managers/${me.id}`;
  const before = ok(await me.get(path));
  ok(await me.get(path, { 'if-none-match': before.headers.etag }), 304);
  ok(await me.put(`/users/${me.id}`, { ...me.user, companyName: 'Renamed Ltd' }));
  const after = ok(await me.get(path, { 'if-none-match': before.headers.etag }));
  assert.equal(after.body.companyName, 'Renamed Ltd');
});

test('Managers are for Managers and Admins, and 404 comes before 403', async () => {
  const { path } = await alice.organization();
  for (const [method, end] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${alice.id}`],
    ['DELETE', `/${alice.id}`],
  ]) {
    fails(await anyone.send(method, `${path}/managers${end}`), 401, 1100);
    fails(await bob.send(method, `/organizations/${UNKNOWN_ID}/managers${end}`), 404, 1234);
    fails(await bob.send(method, `${path}/managers${end}`), 403, 1200);
  }
  for (const method of ['GET', 'DELETE']) fails(await bob.send(method, `${path}/managers/${bob.id}`), 404, 1304);
});

test('The last Manager stays, and one who left can join again', async () => {
  const { path } = await alice.organization();
  for (const client of [alice, admin]) fails(await client.delete(`${path}/managers/${alice.id}`), 409, 1506);
  created(await alice.post(`${path}/managers`, { userId: bob.id }));
  ok(await alice.delete(`${path}/managers/${alice.id}`), 204);
  fails(await alice.get(`${path}/managers`), 403, 1200);
  created(await bob.post(`${path}/managers`, { userId: alice.id }));
  assert.deepEqual(ids(await bob.get(`${path}/managers`)), [bob.id, alice.id]);
});

test('The list of Managers has skip, limit and q, but not after; DELETE respects If-Match', async () => {
  const { path } = await alice.organization();
  const { headers } = await alice.post(`${path}/managers`, { userId: bob.id });
  assert.deepEqual(ids(await alice.get(`${path}/managers?skip=1&limit=1`)), [bob.id]);
  assert.deepEqual(ids(await alice.get(`${path}/managers?q=${bob.user.username.toUpperCase()}`)), [bob.id]);
  assert.deepEqual(ids(await admin.get(`${path}/managers?q=example.com`)), []);
  fails(await alice.get(`${path}/managers?after=${alice.id}`), 400, 1002);
  fails(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': '"x"' }), 412, 1600);
  ok(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': headers.etag }), 204);
});

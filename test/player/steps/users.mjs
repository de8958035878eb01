import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, newWord, userBody } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, sameVersion, tick } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

/** Users, except for passwords and roles: contract §3 (User), §4 */

test('POST /users creates a User', async () => {
  const { password, ...fields } = userBody();
  const response = await admin.post('/users', { ...fields, password });
  const user = created(response);
  has(user, { ...fields, roles: [], updatedAt: user.createdAt });
  sameVersion(await admin.get(response.headers.location), response);
  assert.ok(!response.text.includes(password));
  fails(await anyone.post('/users', userBody()), 401, 1100);
  fails(await bob.post('/users', '{"broken'), 403, 1200);
});

test('Usernames and e-mail addresses are unique without regard to case', async () => {
  const { username, email } = bob.user;
  fails(await admin.post('/users', userBody({ username: username.toUpperCase(), email })), 409, 1502);
  fails(await admin.post('/users', userBody({ email: email.toUpperCase() })), 409, 1503);
  const other = await newUser();
  fails(await admin.put(`/users/${other.id}`, { ...other.user, username }), 409, 1502);
  fails(await admin.put(`/users/${other.id}`, { ...other.user, email }), 409, 1503);
  assert.deepEqual(ok(await other.get(`/users/${other.id}`)).body, other.user);
});

test('GET /users lists all Users for an Admin, and only themselves for others', async () => {
  const word = newWord();
  const me = await newUser({ username: `${word}-a` });
  const company = await newUser({ companyName: `Füü ${word} Straße` });
  const email = await newUser({ email: `x.${word}@example.com` });
  assert.deepEqual(ids(await admin.get(`/users?q=${word.toUpperCase()}`)), [me.id, company.id, email.id].sort());
  assert.deepEqual(ids(await admin.get(`/users?q=${encodeURIComponent(`${word} STRASSE`)}`)), [company.id]);
  const own = await me.get('/users', { prefer: 'count=exact' });
  assert.deepEqual([ids(own), own.headers['x-total-count']], [[me.id], '1']);
  assert.deepEqual(ids(await me.get(`/users?q=x.${word}`)), []);
});

test('A User is for Self and Admins, and 404 comes before 403', async () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    fails(await anyone.send(method, `/users/${UNKNOWN_ID}`), 401, 1100);
    fails(await bob.send(method, `/users/${UNKNOWN_ID}`), 404, 1302);
    fails(await bob.send(method, `/users/${alice.id}`), 403, 1200);
  }
  for (const client of [bob, admin]) ok(await client.get(`/users/${bob.id}`));
});

test('PUT /users/:id replaces a User; what GET returned changes nothing', async () => {
  const me = await newUser();
  const path = `/users/${me.id}`;
  const before = ok(await me.get(path));
  sameVersion(await me.put(path, before.body), before);
  await tick();
  const after = ok(await me.put(path, { ...before.body, companyName: '  Cafe\u0301  ' }));
  assert.equal(after.body.data.companyName, 'Caf\u00e9');
  assert.notEqual(after.headers.etag, before.headers.etag);
  assert.ok(after.body.data.updatedAt > before.body.updatedAt);
  sameVersion(await me.get(path), after);
  invalid(await me.put(path, { companyName: 'x' }), '5001 username', '5001 email');
});

test('Only Admins change usernames and e-mail addresses, their own with currentPassword', async () => {
  const me = await newUser();
  for (const name of [{ username: newWord() }, { email: `${newWord()}@example.com` }])
    fails(await me.put(`/users/${me.id}`, { ...me.user, ...name, currentPassword: me.password }), 403, 1200);
  const username = me.user.username.toUpperCase();
  assert.equal(ok(await admin.put(`/users/${me.id}`, { ...me.user, username })).body.data.username, username);

  const other = await newUser({ roles: ['admin'] });
  const put = (fields) => other.put(`/users/${other.id}`, { ...other.user, username: newWord(), ...fields });
  invalid(await put({}), '5001 currentPassword');
  invalid(await put({ currentPassword: 'wrong one' }), '5013 currentPassword');
  ok(await put({ currentPassword: other.password }));
});

test('DELETE /users/:id deletes the account with its sessions and frees its names', async () => {
  const me = await newUser();
  ok(await me.delete(`/users/${me.id}`), 204);
  fails(await me.get('/users'), 401, 1102);
  fails(await me.logIn(), 401, 1103);
  fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
  fails(await admin.get(`/users/${me.id}`), 404, 1302);
  fails(await admin.get(`/sessions/${me.session._id}`), 404, 1306);
  const { username, email } = me.user;
  created(await admin.post('/users', userBody({ username, email })));
});

test('DELETE /users/:id removes the User from every Organization, except as its last Manager', async () => {
  const me = await newUser();
  const shared = await me.organization();
  created(await me.post(`${shared.path}/managers`, { userId: alice.id }));
  const own = await me.organization();
  const { message } = fails(await me.delete(`/users/${me.id}`), 409, 1506).body;
  assert.ok(message.includes(own.name) && !message.includes(shared.name), message);
  ok(await me.delete(own.path), 204);
  ok(await me.delete(`/users/${me.id}`), 204);
  has(ok(await alice.get(shared.path)).body, { managerIds: [alice.id], createdBy: me.id });
});

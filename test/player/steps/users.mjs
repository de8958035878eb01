import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord, userBody } from '../client.mjs';
import { created, fails, has, invalid, ok, sameVersion } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

/** Users: contract §3 (User), §4 */

test('POST /users creates a User, and PUT /users/:id replaces one', async () => {
  const { password, ...fields } = userBody();
  const response = await admin.post('/users', { ...fields, password });
  const user = created(response);
  has(user, { ...fields, roles: [], updatedAt: user.createdAt });
  const { location } = response.headers;
  sameVersion(await admin.get(location), response);
  fails(await bob.post('/users', '{"broken'), 403, 1200);
  const after = ok(await admin.put(location, { ...user, companyName: '  Cafe\u0301  ' }));
  has(after.body.data, { ...fields, companyName: 'Caf\u00e9' });
  invalid(await admin.put(location, { companyName: 'x' }), '5001 username', '5001 email');
});

test('Usernames and e-mail addresses are unique without regard to case', async () => {
  const { username, email } = bob.user;
  const other = await newUser();
  for (const [code, name] of [
    [1502, { username: username.toUpperCase() }],
    [1503, { email: email.toUpperCase() }],
  ]) {
    fails(await admin.post('/users', userBody(name)), 409, code);
    fails(await admin.put(`/users/${other.id}`, { ...other.user, ...name }), 409, code);
  }
});

test('One’s own new password needs currentPassword and ends the other sessions', async () => {
  const me = await newUser({ password: ' \u0000 Caf\u00e9 \t\n pw ' });
  const other = await me.newSession();
  const password = `New ${newWord()} 5?`;
  const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields });
  invalid(await put({ password }), '5001 currentPassword');
  invalid(await put({ password, currentPassword: me.password.trim() }), '5013 currentPassword');
  ok(await put({ password, currentPassword: me.password.normalize('NFD') }));
  fails(await other.get('/users'), 401, 1102);
  created(await anyone.refresh(me.session.refreshToken));
  fails(await me.logIn(), 401, 1103);
  created(await me.logIn(password));
});

test('DELETE /users/:id deletes the account and its sessions, and removes it from Organizations', async () => {
  const me = await newUser();
  const shared = await me.organization();
  created(await me.post(`${shared.path}/managers`, { userId: alice.id }));
  const own = await me.organization();
  const { message } = fails(await me.delete(`/users/${me.id}`), 409, 1506).body;
  assert.ok(message.includes(own.name) && !message.includes(shared.name), message);
  ok(await me.delete(own.path), 204);
  ok(await me.delete(`/users/${me.id}`), 204);
  has(ok(await alice.get(shared.path)).body, { managerIds: [alice.id], createdBy: me.id });
  fails(await me.get('/users'), 401, 1102);
  fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
  fails(await admin.get(`/sessions/${me.session._id}`), 404, 1306);
  const { username, email } = me.user;
  created(await admin.post('/users', userBody({ username, email })));
});

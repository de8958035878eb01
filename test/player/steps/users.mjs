import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userBody } from '../client.mjs';
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created, fails, has, ids, invalid, ok, tick } from '../expect.mjs';
import { admin, anyone, bob, newUser } from '../main.mjs';

/** Sessions and tokens: contract §3 (Session), §4 */

const DAY = 86_400_000;

test('POST /sessions takes a username or an e-mail address, and returns a session, tokens and the User', async () => {
  const { user, password } = bob;
  for (const name of [{ username: user.username.toUpperCase() }, { email: user.email.toUpperCase() }]) {
    const response = await anyone.post('/sessions', { ...name, password }, { authorization: 'Bearer nonsense' });
    const session = created(response);
    has(session, { tokenType: 'Bearer', expiresIn: 900, userAgent: 'roster-player/1', user });
    assert.equal(Date.parse(session.expiresAt) - Date.parse(session.lastUsedAt), 30 * DAY);
    has(session, ok(await bob.get(response.headers.location)).body);
  }
});

test('A session is listed, read and ended by its User and Admins; then its tokens are unusable', async () => {
  const me = await newUser();
  const other = await me.newSession();
  const path = `/sessions/${me.session._id}`;
  assert.deepEqual(ids(await me.get('/sessions')), [me.session._id, other.session._id].sort());
  for (const method of ['GET', 'DELETE']) fails(await bob.send(method, path), 403, 1200);
  ok(await admin.get(path));
  ok(await me.delete(path, { 'if-match': '"nothing"' }), 204);
  fails(await me.get('/organizations'), 401, 1102);
  fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
  fails(await other.get(path), 404, 1306);
});

test('An API key acts as its User within its scope, is shown once, and ends with its deletion', async () => {
  const me = await newUser();
  const path = `/users/${me.id}/api-keys`;
  const body = { name: 'Player', scope: 'read', expiresAt: '2999-03-16T20:07+01:00' };
  invalid(await me.post(path, { ...body, currentPassword: 'not the password' }), '5013 currentPassword');
  const { key, ...apiKey } = created(await me.post(path, { ...body, currentPassword: me.password }));
  has(apiKey, { name: 'Player', scope: 'read', expiresAt: body.expiresAt, hint: key.slice(-4), createdBy: me.id });
  const program = anyone.withToken(key);
  has(ok(await program.get('/users/me')).body, me.user);
  for (const response of [await program.post('/organizations', {}), await program.get(path)])
    fails(response, 403, 1201);
  assert.deepEqual(ids(await me.get(path)), [apiKey._id]);
  fails(await bob.get(`${path}/${apiKey._id}`), 403, 1200);
  ok(await me.delete(`${path}/${apiKey._id}`), 204);
  fails(await me.get(`${path}/${apiKey._id}`), 404, 1307);
  fails(await program.get('/users/me'), 401, 1101);
});

test('POST /tokens exchanges a refresh token for an access token and a successor', async () => {
  const me = await newUser();
  const path = `/sessions/${me.session._id}`;
  const before = ok(await me.get(path)).body;
  await tick();
  const token = created(await anyone.refresh(me.session.refreshToken));
  assert.notEqual(token.refreshToken, me.session.refreshToken);
  for (const client of [me, me.withToken(token.accessToken)]) ok(await client.get('/users'));
  const after = ok(await me.get(path)).body;
  assert.ok(after.lastUsedAt > before.lastUsedAt && after.expiresAt > before.expiresAt);
  for (const unknown of ['nonsense', bob.token]) fails(await anyone.refresh(unknown), 401, 1104);
});

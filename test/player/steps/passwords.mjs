import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord, userBody } from '../client.mjs';
import { created, fails, invalid, ok, sameVersion } from '../expect.mjs';
import { admin, anyone, bob, newUser } from '../main.mjs';

/** Passwords and roles: contract §3 (User), §0 (f) */

test('A password has 8–128 code points and is not a common one', async () => {
  for (const [code, password] of [
    [5005, 'é'.repeat(6) + '𝒳'],
    [5006, 'xY4'.repeat(43)],
    [5622, ''],
    [5014, 'password1'],
    [5014, 'aaaaaaaaaaaa'],
  ])
    invalid(await admin.post('/users', userBody({ password })), `${code} password`);
  for (const password of ['aB3$efgh', '𝒳'.repeat(120) + 'aB3$efgh']) await newUser({ password });
});

test('A password is compared in NFC, and never trimmed', async () => {
  const me = await newUser({ password: ' \u0000 Caf\u00e9 \t\n pw ' });
  created(await me.logIn(' \u0000 Cafe\u0301 \t\n pw '));
  fails(await me.logIn('\u0000 Caf\u00e9 \t\n pw'), 401, 1103);
});

test('One’s own new password needs currentPassword and ends the other sessions', async () => {
  const me = await newUser();
  const other = await me.newSession();
  const password = `New ${newWord()} 5?`;
  const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields });
  invalid(await put({ password }), '5001 currentPassword');
  invalid(await put({ password, currentPassword: 'wrong one' }), '5013 currentPassword');
  created(await me.logIn());
  ok(await put({ password, currentPassword: me.password }));
  fails(await other.get('/users'), 401, 1102);
  fails(await anyone.refresh(other.session.refreshToken), 401, 1104);
  created(await anyone.refresh(me.session.refreshToken));
  fails(await me.logIn(), 401, 1103);
  created(await me.logIn(password));
});

test('The present password is no change, and one that is left out is kept', async () => {
  const me = await newUser();
  const other = await me.newSession();
  const path = `/users/${me.id}`;
  ok(await me.put(path, { ...me.user, companyName: 'Other' }));
  const kept = ok(await me.get(path));
  sameVersion(await me.put(path, { ...kept.body, password: me.password, currentPassword: me.password }), kept);
  ok(await other.get('/users'));
  created(await me.logIn());
});

test('A password that an Admin sets ends all sessions of the User', async () => {
  const me = await newUser();
  const password = `New ${newWord()} 5?`;
  ok(await admin.put(`/users/${me.id}`, { ...me.user, password }));
  fails(await me.get('/users'), 401, 1102);
  created(await me.logIn(password));
  ok(await admin.get('/users?limit=1'));
});

test('An Admin grants and removes the role at once; left out, it is kept', async () => {
  invalid(await admin.post('/users', userBody({ roles: ['admin', 'nonsense'] })), '5008 roles.1');
  const me = await newUser({ roles: ['admin'] });
  ok(await me.get(`/users/${bob.id}`));
  const { roles, ...rest } = me.user;
  assert.deepEqual(roles, ['admin']);
  const put = async (fields) => ok(await admin.put(`/users/${me.id}`, { ...rest, ...fields })).body.data.roles;
  assert.deepEqual(await put({ companyName: 'x' }), ['admin']);
  assert.deepEqual(await put({ roles: [] }), []);
  fails(await me.get(`/users/${bob.id}`), 403, 1200);
});

test('A change of roles by others is 403, after field errors and before 412', async () => {
  const me = await newUser();
  const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields }, { 'if-match': '"stale"' });
  fails(await put({ roles: ['admin'] }), 403, 1200);
  invalid(await put({ roles: ['admin'], companyName: '' }), '5622 companyName');
  fails(await put({ roles: [] }), 412, 1600);
});

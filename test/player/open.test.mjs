import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedBody, newWord, userBody } from './client.mjs';
import { created, fails, invalid, ok } from './expect.mjs';
import { logInFixtures, startService } from './fixtures.mjs';

/** A service with REGISTRATION=open and ORGANIZATION_CREATION=admin: contract §4 */

const { base } = await startService({ REGISTRATION: 'open', ORGANIZATION_CREATION: 'admin' });
const { admin, alice, anyone, bob, newUser } = await logInFixtures(base);

test('POST /users needs no account, but checks a token that is sent', async () => {
  assert.deepEqual(created(await anyone.post('/users', userBody())).roles, []);
  fails(await anyone.withToken('nonsense').post('/users', userBody()), 401, 1101);
});

test('Only an Admin registers a User with a role', async () => {
  const roles = ['admin'];
  fails(await anyone.post('/users', userBody({ roles })), 403, 1200);
  invalid(await anyone.post('/users', userBody({ roles, username: '' })), '5622 username');
  assert.deepEqual(created(await admin.post('/users', userBody({ roles }))).roles, roles);
});

test('POST /organizations is for Admins only', async () => {
  fails(await bob.post('/organizations', namedBody()), 403, 1200);
  created(await admin.post('/organizations', namedBody()));
});

test('Only Admins add a Manager by an e-mail address that no Admin set', async () => {
  const { path } = await admin.organization();
  created(await admin.post(`${path}/managers`, { email: alice.user.email }));
  created(await alice.post(`${path}/managers`, { email: bob.user.email }));
  const [me, email] = [await newUser(), `${newWord()}@example.com`];
  invalid(await me.put(`/users/${me.id}`, { ...me.user, email }), '5001 currentPassword');
  ok(await me.put(`/users/${me.id}`, { ...me.user, email, currentPassword: me.password }));
  invalid(await alice.post(`${path}/managers`, { email }), '5012 email');
  created(await admin.post(`${path}/managers`, { email }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedBody, userBody } from './client.mjs';
import { created, fails, invalid, ok } from './expect.mjs';
import { logInFixtures, startService } from './fixtures.mjs';

/** A service with low limits: contract §1.1, §3, §4 */

const { base } = await startService({
  ...{ RATE_LIMIT_PER_MINUTE: '200', LOGIN_RATE_LIMIT_PER_MINUTE: '3' },
  ...{ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '2', ORGANIZATIONS_PER_USER: '3' },
});
const { admin, anyone, newUser } = await logInFixtures(base);

test('A User may have created so many Organizations that still exist, an Admin any number', async () => {
  const me = await newUser();
  const create = (client) => client.post('/organizations', namedBody());
  const [first] = [created(await create(me)), created(await create(me)), created(await create(me))];
  fails(await create(me), 409, 1508);
  ok(await me.delete(`/organizations/${first._id}`), 204);
  created(await create(me));
  for (let count = 0; count < 4; count += 1) created(await create(admin));
});

test('Registrations are limited by address, except for those by an Admin', async () => {
  for (let count = 0; count < 2; count += 1) created(await anyone.post('/users', userBody()));
  const { headers } = fails(await anyone.post('/users', userBody()), 429, 1700);
  assert.ok(Number(headers['retry-after']) <= 3600);
  created(await admin.post('/users', userBody()));
});

test('Failed logins are limited, and then the right password gets 429 too', async () => {
  const me = await newUser();
  for (let count = 0; count < 3; count += 1) fails(await me.logIn('wrong password'), 401, 1103);
  const { headers } = fails(await me.logIn(), 429, 1700);
  assert.ok(Number(headers['retry-after']) <= 60);
  ok(await me.get('/users'));
});

test('A wrong currentPassword counts as a failed login', async () => {
  const me = await newUser();
  const wrong = { ...me.user, password: 'Some new 1 pass', currentPassword: 'wrong one' };
  for (let count = 0; count < 3; count += 1) invalid(await me.put(`/users/${me.id}`, wrong), '5013 currentPassword');
  fails(await me.logIn(), 429, 1700);
});

test('Requests are limited by address, before the path and the account are checked', async () => {
  let response = await anyone.get('/users');
  for (let count = 1; count <= 200 && response.status === 401; count += 1) response = await anyone.get('/users');
  fails(response, 429, 1700);
  fails(await anyone.get('/nowhere'), 429, 1700);
  fails(await anyone.send('PATCH', '/users'), 429, 1700);
  ok(await anyone.get('/health/live'));
});

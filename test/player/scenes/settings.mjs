import { fresh, namedFields, userFields } from '../caller.mjs';
import { created, fails, holds, invalid, ok, same } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} with REGISTRATION=open and ORGANIZATION_CREATION=admin: contract §4 */
export const openScenes = {
  'POST /users needs no account, but checks a token that is sent': async ({ anyone }) => {
    const user = created(await anyone.post('/users', userFields()));
    same(user.roles, [], 'no roles');
    fails(await anyone.post('/users', userFields(), { authorization: 'Bearer nonsense' }), 401, 1101);
    const required = ['username', 'companyName', 'email', 'password'];
    invalid(await anyone.post('/users', {}), ...required.map((name) => `5001 ${name}`));
  },
  'roles that are not empty: 403 (1200) after field errors, unless an Admin sends them': async ({ admin, anyone }) => {
    fails(await anyone.post('/users', userFields({ roles: ['admin'] })), 403, 1200);
    created(await anyone.post('/users', userFields({ roles: [] })));
    invalid(await anyone.post('/users', userFields({ roles: ['admin'], username: '' })), '5622 username');
    same(created(await admin.post('/users', userFields({ roles: ['admin'] }))).roles, ['admin'], 'by an Admin');
  },
  'POST /organizations is for Admins only': async ({ bob, admin }) => {
    fails(await bob.post('/organizations', namedFields()), 403, 1200);
    await admin.organization();
  },
  'only Admins may name a Manager by an email that no Admin set: 5012 for others': async ({
    alice,
    bob,
    admin,
    newcomer,
  }) => {
    const { path } = await admin.organization();
    created(await admin.post(`${path}/managers`, { email: alice.user.email }));
    created(await alice.post(`${path}/managers`, { email: bob.user.email }));
    const [claimer, email] = [await newcomer(), `${fresh()}@example.com`];
    const claimed = { ...claimer.user, email, currentPassword: claimer.password };
    invalid(await claimer.put(`/users/${claimer.id}`, { ...claimer.user, email }), '5001 currentPassword');
    ok(await claimer.put(`/users/${claimer.id}`, claimed));
    invalid(await alice.post(`${path}/managers`, { email }), '5012 email');
    created(await admin.post(`${path}/managers`, { email }));
  },
};

/** @type {import('../play.mjs').Scenes} with open registration, and the limits of the options as the service has them */
export const limitScenes = {
  'a User may have created so many Organizations that still exist, others 409 (1508); an Admin any number': async ({
    newcomer,
    admin,
    options,
  }) => {
    const [limit, me] = [Number(options['organization-limit']), await newcomer()];
    const create = (caller) => caller.post('/organizations', namedFields());
    const first = created(await create(me));
    for (let count = 1; count < limit; count += 1) created(await create(me));
    fails(await create(me), 409, 1508);
    ok(await me.delete(`/organizations/${first._id}`), 204);
    created(await create(me));
    for (let count = 0; count <= limit; count += 1) created(await create(admin));
  },
  'registrations are limited by address: 429 (1700), not those by an Admin': async ({ anyone, admin, options }) => {
    const limit = Number(options['registration-limit']);
    const register = (caller) => caller.post('/users', userFields());
    for (let count = 0; count < limit; count += 1) created(await register(anyone));
    const late = fails(await register(anyone), 429, 1700);
    holds(Number(late.headers['retry-after']) <= 3600, 'within the hour');
    created(await register(admin));
  },
  'failed logins are limited: 429 (1700), for the right password too': async ({ newcomer, options }) => {
    const [limit, me] = [Number(options['login-limit']), await newcomer()];
    for (let count = 0; count < limit; count += 1) fails(await me.logIn('wrong password'), 401, 1103);
    fails(await me.logIn('wrong password'), 429, 1700);
    const right = fails(await me.logIn(), 429, 1700);
    holds(Number(right.headers['retry-after']) <= 60, 'within the minute');
    ok(await me.get('/users'));
  },
  'a successful login clears the count': async ({ newcomer, options }) => {
    const [limit, me] = [Number(options['login-limit']), await newcomer()];
    for (let round = 0; round < 2; round += 1) {
      for (let count = 1; count < limit; count += 1) fails(await me.logIn('wrong password'), 401, 1103);
      created(await me.logIn());
    }
  },
  'a wrong currentPassword counts as a failed login': async ({ newcomer, options }) => {
    const [limit, me] = [Number(options['login-limit']), await newcomer()];
    const wrong = { ...me.user, password: 'Some new 1 pass', currentPassword: 'wrong one' };
    for (let count = 0; count < limit; count += 1)
      invalid(await me.put(`/users/${me.id}`, wrong), '5013 currentPassword');
    fails(await me.logIn(), 429, 1700);
  },
  'requests are limited by address, before the path and the account are looked at': async ({ anyone, options }) => {
    const limit = Number(options['rate-limit']);
    let response = await anyone.get('/users');
    for (let count = 1; count <= limit && response.status === 401; count += 1) response = await anyone.get('/users');
    fails(response, 429, 1700);
    fails(await anyone.get('/nowhere'), 429, 1700);
    fails(await anyone.send('PATCH', '/users'), 429, 1700);
    ok(await anyone.get('/health/live'));
  },
};

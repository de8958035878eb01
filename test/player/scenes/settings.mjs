import { created, fails, faulty, holds, ok, same } from '../expect.mjs';

/** @type {import('../play.mjs').Scene[]} with REGISTRATION=open and ORGANIZATION_CREATION=admin: contract §4 */
export const openScenes = [
  [
    'POST /users needs no account; a token that is sent is judged all the same',
    async (world) => {
      const user = created(await world.anyone.post('/users', world.userFields()));
      same(user.roles, [], 'no roles');
      fails(await world.anyone.post('/users', world.userFields(), { authorization: 'Bearer nonsense' }), 401, 1101);
      faulty(
        await world.anyone.post('/users', {}),
        ['username', 'companyName', 'email', 'password'].map((name) => [5001, name]),
      );
    },
  ],
  [
    'roles other than none: 403 (1200), judged when the body is valid; an Admin may give them',
    async (world) => {
      fails(await world.anyone.post('/users', world.userFields({ roles: ['admin'] })), 403, 1200);
      created(await world.anyone.post('/users', world.userFields({ roles: [] })));
      faulty(await world.anyone.post('/users', world.userFields({ roles: ['admin'], username: '' })), [
        [5622, 'username'],
      ]);
      same(
        created(await world.admin.post('/users', world.userFields({ roles: ['admin'] }))).roles,
        ['admin'],
        'by an Admin',
      );
    },
  ],
  [
    'POST /organizations is for Admins only',
    async (world) => {
      const bob = await world.person('bob');
      fails(await bob.post('/organizations', world.organizationFields()), 403, 1200);
      await world.organization(world.admin);
    },
  ],
  [
    'only an Admin may name a manager by email: 5012 for others',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(world.admin);
      created(await world.admin.post(`${path}/managers`, { email: alice.user.email }));
      faulty(await alice.post(`${path}/managers`, { email: bob.user.email }), [[5012, 'email']]);
      created(await alice.post(`${path}/managers`, { userId: bob.id }));
    },
  ],
];

/** @type {import('../play.mjs').Scene[]} with `--login-limit` and `--rate-limit` set as the service has them */
export const limitScenes = [
  [
    'login failures are limited by account name: 429 (1700), for the right password too',
    async (world) => {
      const [limit, me] = [Number(world.options['login-limit']), await world.newcomer()];
      const login = (password) => world.anyone.post('/sessions', { username: me.user.username, password });
      for (let count = 0; count < limit; count += 1) fails(await login('wrong password'), 401, 1103);
      fails(await login('wrong password'), 429, 1700);
      const right = fails(await login(me.password), 429, 1700);
      holds(Number(right.headers['retry-after']) <= 60, 'within the minute');
      ok(await me.get('/users'));
    },
  ],
  [
    'a success clears the count',
    async (world) => {
      const [limit, me] = [Number(world.options['login-limit']), await world.newcomer()];
      const login = (password) => world.anyone.post('/sessions', { username: me.user.username, password });
      for (let round = 0; round < 2; round += 1) {
        for (let count = 1; count < limit; count += 1) fails(await login('wrong password'), 401, 1103);
        created(await login(me.password));
      }
    },
  ],
  [
    'a wrong currentPassword counts to login throttling',
    async (world) => {
      const [limit, me] = [Number(world.options['login-limit']), await world.newcomer()];
      const put = () =>
        me.put(`/users/${me.id}`, { ...me.user, password: 'Some new 1 pass', currentPassword: 'wrong one' });
      for (let count = 0; count < limit; count += 1) faulty(await put(), [[5013, 'currentPassword']]);
      fails(await world.anyone.post('/sessions', { username: me.user.username, password: me.password }), 429, 1700);
    },
  ],
  [
    'requests are limited by address, before the path and the account are looked at',
    async ({ anyone, options }) => {
      const limit = Number(options['rate-limit']);
      let answer = await anyone.get('/users');
      for (let count = 1; count <= limit && answer.status === 401; count += 1) answer = await anyone.get('/users');
      fails(answer, 429, 1700);
      fails(await anyone.get('/nowhere'), 429, 1700);
      fails(await anyone.ask('PATCH', '/users'), 429, 1700);
      ok(await anyone.get('/health/live'));
    },
  ],
];

import { created, differs, fails, faulty, links, ok, same } from '../expect.mjs';

const login = (world, who, password) => world.anyone.post('/sessions', { username: who.user.username, password });

/** @type {import('../play.mjs').Scene[]} Passwords and roles: contract §3 (User), §0 (f) */
export const scenes = [
  [
    'passwords: 8–128 code points, not a common one; blank 5622',
    async (world) => {
      const judged = async (password, faults) =>
        faulty(await world.admin.post('/users', world.userFields({ password })), faults);
      await judged('aB3$efg', [[5005, 'password']]);
      await judged('é'.repeat(6) + '𝒳', [[5005, 'password']]);
      await judged('xY4'.repeat(43), [[5006, 'password']]);
      await judged('', [[5622, 'password']]);
      for (const common of ['password', '12345678', 'password1', 'qwertyuiop'])
        await judged(common, [[5014, 'password']]);
      for (const fine of ['aB3$efgh', 'xY4'.repeat(42) + 'ab', '𝒳'.repeat(120) + 'aB3$efgh']) {
        await world.newcomer({ password: fine });
      }
    },
  ],
  [
    'passwords: NFC, never trimmed, any character',
    async (world) => {
      const me = await world.newcomer({ password: ' \u0000 Caf\u00e9 \t\n pw ' });
      created(await login(world, me, ' \u0000 Cafe\u0301 \t\n pw '));
      fails(await login(world, me, '\u0000 Caf\u00e9 \t\n pw'), 401, 1103);
      fails(await login(world, me, ' \u0000 caf\u00e9 \t\n pw '), 401, 1103);
    },
  ],
  [
    'currentPassword is required with a new password of one’s own: missing 5001, wrong 5013',
    async (world) => {
      const me = await world.newcomer();
      const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields });
      const password = `New ${world.word()} 5?`;
      faulty(await put({ password }), [[5001, 'currentPassword']]);
      faulty(await put({ password, currentPassword: 'wrong one' }), [[5013, 'currentPassword']]);
      faulty(await put({ password: 'short', currentPassword: me.password }), [[5005, 'password']]);
      faulty(await put({ password: 5 }), [
        [5002, 'password'],
        [5001, 'currentPassword'],
      ]);
      created(await login(world, me, me.password));
      fails(await login(world, me, password), 401, 1103);
    },
  ],
  [
    'a changed password ends the user’s other sessions, and not this one',
    async (world) => {
      const me = await world.newcomer();
      const other = await world.login(me.user.username, me.password);
      const password = `New ${world.word()} 5?`;
      const answer = ok(await me.put(`/users/${me.id}`, { ...me.user, password, currentPassword: me.password }));
      differs(answer.headers.etag, undefined, 'tagged');
      fails(await other.get('/users'), 401, 1102);
      fails(await world.anyone.post('/tokens', { refreshToken: other.session.refreshToken }), 401, 1104);
      ok(await me.get('/users'));
      created(await world.anyone.post('/tokens', { refreshToken: me.session.refreshToken }));
      fails(await login(world, me, me.password), 401, 1103);
      created(await login(world, me, password));
    },
  ],
  [
    'left out, the password is kept; one that is already theirs is no change',
    async (world) => {
      const me = await world.newcomer();
      const other = await world.login(me.user.username, me.password);
      const path = `/users/${me.id}`;
      const before = ok(await me.get(path));
      ok(await me.put(path, { ...me.user, companyName: 'Other' }));
      ok(await me.put(path, me.user));
      created(await login(world, me, me.password));
      const kept = ok(await me.get(path));
      const again = ok(await me.put(path, { ...me.user, password: me.password, currentPassword: me.password }));
      same([again.headers.etag, again.body.data], [kept.headers.etag, kept.body], 'no change');
      ok(await other.get('/users'));
      differs(before.headers.etag, kept.headers.etag, 'two real changes lie between');
    },
  ],
  [
    'set by an Admin, a password ends all sessions of the user',
    async (world) => {
      const me = await world.newcomer();
      const password = `New ${world.word()} 5?`;
      ok(await world.admin.put(`/users/${me.id}`, { ...me.user, password }));
      fails(await me.get('/users'), 401, 1102);
      fails(await world.anyone.post('/tokens', { refreshToken: me.session.refreshToken }), 401, 1104);
      created(await login(world, me, password));
      ok(await world.admin.get('/users?limit=1'));
    },
  ],
  [
    'roles: a subset of ["admin"]',
    async (world) => {
      const judged = async (roles, faults) =>
        faulty(await world.admin.post('/users', world.userFields({ roles })), faults);
      await judged('admin', [[5002, 'roles']]);
      await judged({ 0: 'admin' }, [[5002, 'roles']]);
      await judged(['Admin'], [[5008, 'roles.0']]);
      await judged(['admin', 'owner'], [[5008, 'roles.1']]);
      await judged([5], [[5002, 'roles.0']]);
    },
  ],
  [
    'an Admin gives and takes the role, which works on the next request; left out it is kept',
    async (world) => {
      const [me, bob] = [await world.newcomer({ roles: ['admin'] }), await world.person('bob')];
      same(me.user.roles, ['admin'], 'created with the role');
      ok(await me.get(`/users/${bob.id}`));
      const { roles, ...rest } = me.user;
      same(
        ok(await world.admin.put(`/users/${me.id}`, { ...rest, companyName: 'x' })).body.data.roles,
        ['admin'],
        'kept',
      );
      same(ok(await world.admin.put(`/users/${me.id}`, { ...rest, roles: [] })).body.data.roles, [], 'taken');
      fails(await me.get(`/users/${bob.id}`), 403, 1200);
    },
  ],
  [
    'roles of a different value from a non-Admin: 403, judged when the body is valid and before 412',
    async (world) => {
      const me = await world.newcomer();
      const put = (fields, headers) => me.put(`/users/${me.id}`, { ...me.user, ...fields }, headers);
      ok(await put({ roles: [] }));
      fails(await put({ roles: ['admin'] }), 403, 1200);
      fails(await put({ roles: ['admin'] }, { 'if-match': '"stale"' }), 403, 1200);
      faulty(await put({ roles: ['admin'], companyName: '' }), [[5622, 'companyName']]);
      same(ok(await me.get(`/users/${me.id}`)).body.roles, [], 'nothing changed');
    },
  ],
];

/** @type {import('../play.mjs').Scene[]} to be played last: a service that breaks this promise has no Admin afterwards */
export const lastScenes = [
  [
    'the last Admin stays: 409 (1507) for DELETE and for roles, ahead of 1506',
    async (world) => {
      const { admin } = world;
      const path = `/users/${admin.id}`;
      for (const other of await otherAdmins(world)) ok(await admin.put(`/users/${other._id}`, { ...other, roles: [] }));
      const before = ok(await admin.get(path));
      fails(await admin.delete(path), 409, 1507);
      fails(await admin.put(path, { ...before.body, roles: [] }), 409, 1507);
      const own = await world.organization(admin);
      fails(await admin.delete(path), 409, 1507);
      ok(await admin.delete(own.path), 204);
      const after = ok(await admin.get(path));
      same([after.body, after.headers.etag], [before.body, before.headers.etag], 'nothing changed');
    },
  ],
];

async function otherAdmins({ admin }) {
  const found = [];
  let path = '/users?limit=100';
  while (path) {
    const page = ok(await admin.get(path));
    found.push(...page.body.data.filter((user) => user.roles.includes('admin') && user._id !== admin.id));
    path = links(page).next;
  }
  return found;
}

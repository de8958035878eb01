import { created, differs, fails, faulty, holds, ids, ok, same, tick } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

const writable = ({ username, companyName, email }) => ({ username, companyName, email });

/** @type {import('../play.mjs').Scene[]} Users: contract §3 (User) and §4, but for passwords and roles */
export const scenes = [
  [
    'POST /users by an Admin creates a user, whose password is never returned',
    async (world) => {
      const wanted = world.userFields();
      const answer = await world.admin.post('/users', wanted);
      const user = created(answer);
      same(writable(user), writable(wanted), 'stored as sent');
      same([user.roles, user.updatedAt], [[], user.createdAt], 'no roles; updatedAt at first is createdAt');
      const read = ok(await world.admin.get(answer.headers.location));
      same([read.body, read.headers.etag], [user, answer.headers.etag], 'GET gives the same, with the same tag');
      holds(!answer.text.includes(wanted.password), 'no password in the answer');
    },
  ],
  [
    'POST /users: Admin only; the right is judged before the body',
    async (world) => {
      const bob = await world.person('bob');
      fails(await world.anyone.post('/users', world.userFields()), 401, 1100);
      fails(await bob.post('/users', world.userFields()), 403, 1200);
      fails(await bob.post('/users', '{"broken'), 403, 1200);
    },
  ],
  [
    "faults come all at once, in the model's order, unknown fields last",
    async ({ admin }) => {
      const required = ['username', 'companyName', 'email', 'password'];
      faulty(
        await admin.post('/users', {}),
        required.map((name) => [5001, name]),
      );
      faulty(
        await admin.post('/users', {
          zzz: 1,
          roles: 'admin',
          password: 1,
          email: 'x',
          companyName: ' ',
          username: 'a b',
        }),
        [
          [5007, 'username'],
          [5622, 'companyName'],
          [5007, 'email'],
          [5002, 'password'],
          [5002, 'roles'],
          [5003, 'zzz'],
        ],
      );
      faulty(
        await admin.post('/users', { username: null, companyName: null, email: null, password: null }),
        required.map((name) => [5001, name]),
      );
    },
  ],
  [
    'usernames and e-mails are unique without regard to case: 1502, 1503',
    async (world) => {
      const { user } = await world.person('bob');
      const clash = (fields) => world.admin.post('/users', world.userFields(fields));
      fails(await clash({ username: user.username.toUpperCase() }), 409, 1502);
      fails(await clash({ email: user.email.toUpperCase() }), 409, 1503);
      fails(await clash({ username: user.username, email: user.email }), 409, 1502);
      faulty(await clash({ username: user.username, companyName: '' }), [[5622, 'companyName']]);
      const other = await world.newcomer();
      fails(await other.put(`/users/${other.id}`, { ...other.user, username: user.username }), 409, 1502);
      fails(await other.put(`/users/${other.id}`, { ...other.user, email: user.email.toUpperCase() }), 409, 1503);
      same(ok(await other.get(`/users/${other.id}`)).body, other.user, 'nothing changed');
    },
  ],
  [
    'of many who take one username at once, one wins and the others get 1502',
    async (world) => {
      const username = world.word();
      const bodies = Array.from({ length: 6 }, () => world.userFields({ username }));
      const answers = await Promise.all(bodies.map((body) => world.admin.post('/users', body)));
      same(answers.filter((answer) => answer.status === 201).length, 1, 'one winner');
      for (const answer of answers.filter(({ status }) => status !== 201)) fails(answer, 409, 1502);
    },
  ],
  [
    'GET /users: an Admin sees all, others themselves; q finds username, company name, e-mail',
    async (world) => {
      const word = world.word();
      const me = await world.newcomer({ username: `${word}-a`, companyName: 'One' });
      const company = await world.newcomer({ companyName: `Füü ${word} Straße` });
      const email = await world.newcomer({ email: `x.${word}@example.com` });
      const found = [me.id, company.id, email.id].sort();
      same(ids(await world.admin.get(`/users?q=${word}`)), found, 'all three');
      same(ids(await world.admin.get(`/users?q=${word.toUpperCase()}`)), found, 'case does not matter');
      same(
        ids(await world.admin.get(`/users?q=${encodeURIComponent(`FU\u0308Ü ${word} STRASSE`)}`)),
        [company.id],
        'folded',
      );
      same(ids(await me.get('/users')), [me.id], 'oneself');
      same(ids(await me.get(`/users?q=x.${word}`)), [], 'nobody else');
      const counted = ok(await me.get('/users', { prefer: 'count=exact' }));
      same(counted.headers['x-total-count'], '1', 'the count tells of nobody else either');
    },
  ],
  [
    'GET, PUT, DELETE /users/:id: self and Admin; others 403, nobody 404 1302',
    async (world) => {
      const [bob, alice] = [await world.person('bob'), await world.person('alice')];
      for (const method of ['GET', 'PUT', 'DELETE']) {
        fails(await bob.ask(method, `/users/${alice.id}`), 403, 1200);
        fails(await bob.ask(method, `/users/${NOBODY}`), 404, 1302);
        fails(await world.anyone.ask(method, `/users/${NOBODY}`), 401, 1100);
        fails(await world.admin.ask(method, '/users/me'), 404, 1302);
      }
      ok(await bob.get(`/users/${bob.id}`));
      ok(await world.admin.get(`/users/${bob.id}`));
    },
  ],
  [
    'PUT /users/:id replaces; what GET gave can be PUT back and changes nothing',
    async (world) => {
      const me = await world.newcomer();
      const path = `/users/${me.id}`;
      const before = ok(await me.get(path));
      const again = ok(await me.put(path, before.body));
      same([again.body.data, again.headers.etag], [before.body, before.headers.etag], 'nothing changed');
      await tick();
      const changed = ok(await me.put(path, { ...before.body, companyName: '  Cafe\u0301  ' }));
      same(changed.body.data.companyName, 'Caf\u00e9', 'trimmed and NFC');
      differs(changed.headers.etag, before.headers.etag, 'a change changes the tag');
      holds(changed.body.data.updatedAt > before.body.updatedAt, 'and updatedAt');
      const read = ok(await me.get(path));
      same([read.body, read.headers.etag], [changed.body.data, changed.headers.etag], 'stored');
      faulty(await me.put(path, { companyName: 'x' }), [
        [5001, 'username'],
        [5001, 'email'],
      ]);
    },
  ],
  [
    'a name may change its case only; it is stored as sent',
    async (world) => {
      const me = await world.newcomer();
      const username = me.user.username.toUpperCase();
      const changed = ok(await me.put(`/users/${me.id}`, { ...me.user, username }));
      same(changed.body.data.username, username, 'stored as sent');
      ok(await world.anyone.post('/sessions', { username: username.toLowerCase(), password: me.password }), 201);
    },
  ],
  [
    'DELETE /users/:id: account and sessions are gone, and the names are free again',
    async (world) => {
      const me = await world.newcomer();
      const login = { username: me.user.username, password: me.password };
      ok(await me.delete(`/users/${me.id}`), 204);
      fails(await me.get('/users'), 401, 1102);
      fails(await world.anyone.post('/sessions', login), 401, 1103);
      fails(await world.anyone.post('/tokens', { refreshToken: me.session.refreshToken }), 401, 1104);
      fails(await world.admin.get(`/users/${me.id}`), 404, 1302);
      fails(await world.admin.delete(`/users/${me.id}`), 404, 1302);
      fails(await world.admin.get(`/sessions/${me.session._id}`), 404, 1306);
      created(await world.admin.post('/users', { ...writable(me.user), password: me.password }));
    },
  ],
  [
    'DELETE takes the user out of every Organization; the last manager stays (1506, which names it)',
    async (world) => {
      const [alice, me] = [await world.person('alice'), await world.newcomer()];
      const shared = await world.organization(me);
      created(await me.post(`${shared.path}/managers`, { userId: alice.id }));
      const own = await world.organization(me);
      const refused = fails(await me.delete(`/users/${me.id}`), 409, 1506);
      holds(refused.body.message.includes(own.name), 'the message names the Organization');
      holds(!refused.body.message.includes(shared.name), 'and no other');
      same(ok(await me.get(shared.path)).body.managerIds, [me.id, alice.id], 'nothing changed');
      ok(await me.delete(own.path), 204);
      ok(await me.delete(`/users/${me.id}`), 204);
      const left = ok(await alice.get(shared.path)).body;
      same([left.managerIds, left.createdBy], [[alice.id], me.id], 'createdBy may name a deleted user');
    },
  ],
];

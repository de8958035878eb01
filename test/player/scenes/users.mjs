import { NOTHING, fresh, userFields } from '../caller.mjs';
import { created, differs, fails, holds, ids, invalid, ok, oneWins, same, sameVersion, tick } from '../expect.mjs';

const writable = ({ username, companyName, email }) => ({ username, companyName, email });

/** @type {import('../play.mjs').Scenes} Users: contract §3 (User) and §4, except passwords and roles */
export const scenes = {
  'POST /users creates a User, whose password is never returned': async ({ admin }) => {
    const wanted = userFields();
    const response = await admin.post('/users', wanted);
    const user = created(response);
    same(writable(user), writable(wanted), 'stored as sent');
    same([user.roles, user.updatedAt], [[], user.createdAt], 'no roles; updatedAt at first is createdAt');
    sameVersion(await admin.get(response.headers.location), response, 'GET returns the same, with the same ETag');
    holds(!response.text.includes(wanted.password), 'no password in the response');
  },
  'POST /users is for Admins only, which is checked before the body': async ({ bob, anyone }) => {
    fails(await anyone.post('/users', userFields()), 401, 1100);
    fails(await bob.post('/users', userFields()), 403, 1200);
    fails(await bob.post('/users', '{"broken'), 403, 1200);
  },
  'all field errors at once, in the order of the fields, unknown fields last': async ({ admin }) => {
    const required = ['username', 'companyName', 'email', 'password'];
    invalid(await admin.post('/users', {}), ...required.map((name) => `5001 ${name}`));
    const nothing = { username: null, companyName: null, email: null, password: null };
    invalid(await admin.post('/users', nothing), ...required.map((name) => `5001 ${name}`));
    const wrong = { zzz: 1, roles: 'admin', password: 1, email: 'x', companyName: ' ', username: 'a b' };
    invalid(
      await admin.post('/users', wrong),
      '5007 username',
      '5622 companyName',
      '5007 email',
      '5002 password',
      '5002 roles',
      '5003 zzz',
    );
  },
  'usernames and e-mail addresses are unique without regard to case: 1502, 1503': async ({ bob, admin, newcomer }) => {
    const { user } = bob;
    const clash = (fields) => admin.post('/users', userFields(fields));
    fails(await clash({ username: user.username.toUpperCase() }), 409, 1502);
    fails(await clash({ email: user.email.toUpperCase() }), 409, 1503);
    fails(await clash({ username: user.username, email: user.email }), 409, 1502);
    invalid(await clash({ username: user.username, companyName: '' }), '5622 companyName');
    const other = await newcomer();
    fails(await admin.put(`/users/${other.id}`, { ...other.user, username: user.username }), 409, 1502);
    fails(await admin.put(`/users/${other.id}`, { ...other.user, email: user.email.toUpperCase() }), 409, 1503);
    same(ok(await other.get(`/users/${other.id}`)).body, other.user, 'nothing changed');
  },
  'of several POSTs of one username at once, one wins and the others get 1502': async ({ admin }) => {
    const username = fresh();
    const bodies = Array.from({ length: 6 }, () => userFields({ username }));
    const responses = await Promise.all(bodies.map((body) => admin.post('/users', body)));
    oneWins(responses, 201, 409, 1502);
  },
  'GET /users: an Admin sees all, others themselves; q searches three fields': async ({ admin, newcomer }) => {
    const word = fresh();
    const me = await newcomer({ username: `${word}-a`, companyName: 'One' });
    const company = await newcomer({ companyName: `Füü ${word} Straße` });
    const email = await newcomer({ email: `x.${word}@example.com` });
    const found = [me.id, company.id, email.id].sort();
    same(ids(await admin.get(`/users?q=${word}`)), found, 'all three');
    same(ids(await admin.get(`/users?q=${word.toUpperCase()}`)), found, 'case does not matter');
    same(
      ids(await admin.get(`/users?q=${encodeURIComponent(`FU\u0308Ü ${word} STRASSE`)}`)),
      [company.id],
      'by case fold',
    );
    same(ids(await me.get('/users')), [me.id], 'their own');
    same(ids(await me.get(`/users?q=x.${word}`)), [], 'no other User');
    const counted = ok(await me.get('/users', { prefer: 'count=exact' }));
    same(counted.headers['x-total-count'], '1', 'the count reveals no others');
  },
  'a User is for Self and Admins; 404 (1302) before 403': async ({ alice, bob, admin, anyone }) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      fails(await bob.send(method, `/users/${alice.id}`), 403, 1200);
      fails(await bob.send(method, `/users/${NOTHING}`), 404, 1302);
      fails(await anyone.send(method, `/users/${NOTHING}`), 401, 1100);
      fails(await admin.send(method, '/users/me'), 404, 1302);
    }
    ok(await bob.get(`/users/${bob.id}`));
    ok(await admin.get(`/users/${bob.id}`));
  },
  'PUT /users/:id replaces; PUT of what GET returned changes nothing': async ({ newcomer }) => {
    const me = await newcomer();
    const path = `/users/${me.id}`;
    const before = ok(await me.get(path));
    sameVersion(await me.put(path, before.body), before);
    await tick();
    const changed = ok(await me.put(path, { ...before.body, companyName: '  Cafe\u0301  ' }));
    same(changed.body.data.companyName, 'Caf\u00e9', 'trimmed and NFC');
    differs(changed.headers.etag, before.headers.etag, 'a change changes the ETag');
    holds(changed.body.data.updatedAt > before.body.updatedAt, 'and updatedAt');
    sameVersion(await me.get(path), changed, 'stored');
    invalid(await me.put(path, { companyName: 'x' }), '5001 username', '5001 email');
  },
  'usernames and e-mail addresses belong to the Admins: 403 (1200) in a PUT of one’s own': async ({ newcomer }) => {
    const me = await newcomer();
    for (const name of [{ username: fresh() }, { email: `${fresh()}@example.com` }]) {
      fails(await me.put(`/users/${me.id}`, { ...me.user, ...name, currentPassword: me.password }), 403, 1200);
    }
    same(ok(await me.get(`/users/${me.id}`)).body, me.user, 'nothing changed');
  },
  'an Admin needs the current password for a new name of their own: 5001, 5013': async ({ newcomer }) => {
    const me = await newcomer({ roles: ['admin'] });
    const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, username: `${me.user.username}x`, ...fields });
    invalid(await put({}), '5001 currentPassword');
    invalid(await put({ currentPassword: 'wrong one' }), '5013 currentPassword');
    ok(await put({ currentPassword: me.password }));
  },
  'a username may change in case only, and is stored as sent': async ({ admin, anyone, newcomer }) => {
    const me = await newcomer();
    const username = me.user.username.toUpperCase();
    const changed = ok(await admin.put(`/users/${me.id}`, { ...me.user, username }));
    same(changed.body.data.username, username, 'stored as sent');
    ok(await anyone.post('/sessions', { username: username.toLowerCase(), password: me.password }), 201);
  },
  'DELETE /users/:id deletes account and sessions, and frees the names': async ({ admin, anyone, newcomer }) => {
    const me = await newcomer();
    ok(await me.delete(`/users/${me.id}`), 204);
    fails(await me.get('/users'), 401, 1102);
    fails(await me.logIn(), 401, 1103);
    fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
    fails(await admin.get(`/users/${me.id}`), 404, 1302);
    fails(await admin.delete(`/users/${me.id}`), 404, 1302);
    fails(await admin.get(`/sessions/${me.session._id}`), 404, 1306);
    created(await admin.post('/users', { ...writable(me.user), password: me.password }));
  },
  'DELETE removes the User from every Organization, except as last Manager (1506)': async ({ alice, newcomer }) => {
    const me = await newcomer();
    const shared = await me.organization();
    created(await me.post(`${shared.path}/managers`, { userId: alice.id }));
    const own = await me.organization();
    const refused = fails(await me.delete(`/users/${me.id}`), 409, 1506);
    holds(refused.body.message.includes(own.name), 'the message names the Organization');
    holds(!refused.body.message.includes(shared.name), 'and no other');
    same(ok(await me.get(shared.path)).body.managerIds, [me.id, alice.id], 'nothing changed');
    ok(await me.delete(own.path), 204);
    ok(await me.delete(`/users/${me.id}`), 204);
    const left = ok(await alice.get(shared.path)).body;
    same([left.managerIds, left.createdBy], [[alice.id], me.id], 'createdBy may name a deleted user');
  },
};

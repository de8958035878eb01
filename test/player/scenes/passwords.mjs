import { fresh, userFields } from '../caller.mjs';
import { created, differs, fails, invalid, links, ok, same, sameVersion } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} Passwords and roles: contract §3 (User), §0 (f) */
export const scenes = {
  'passwords: 8–128 code points and not a common one; an empty one is 5622': async ({ admin, newcomer }) => {
    for (const [code, ...passwords] of [
      [5005, 'aB3$efg', 'é'.repeat(6) + '𝒳'],
      [5006, 'xY4'.repeat(43)],
      [5622, ''],
      [5014, 'password', '12345678', 'password1', 'qwertyuiop'],
    ])
      for (const password of passwords)
        invalid(await admin.post('/users', userFields({ password })), `${code} password`);
    for (const password of ['aB3$efgh', 'xY4'.repeat(42) + 'ab', '𝒳'.repeat(120) + 'aB3$efgh'])
      await newcomer({ password });
  },
  'passwords: NFC, never trimmed, any character': async ({ newcomer }) => {
    const me = await newcomer({ password: ' \u0000 Caf\u00e9 \t\n pw ' });
    created(await me.logIn(' \u0000 Cafe\u0301 \t\n pw '));
    fails(await me.logIn('\u0000 Caf\u00e9 \t\n pw'), 401, 1103);
    fails(await me.logIn(' \u0000 caf\u00e9 \t\n pw '), 401, 1103);
  },
  'your own new password needs currentPassword: missing 5001, wrong 5013': async ({ newcomer }) => {
    const me = await newcomer();
    const put = (fields) => me.put(`/users/${me.id}`, { ...me.user, ...fields });
    const password = `New ${fresh()} 5?`;
    invalid(await put({ password }), '5001 currentPassword');
    invalid(await put({ password, currentPassword: 'wrong one' }), '5013 currentPassword');
    invalid(await put({ password: 'short', currentPassword: me.password }), '5005 password');
    invalid(await put({ password: 5 }), '5002 password', '5001 currentPassword');
    created(await me.logIn());
    fails(await me.logIn(password), 401, 1103);
  },
  'a changed password ends the other sessions of the User, but not this one': async ({ anyone, newcomer }) => {
    const me = await newcomer();
    const other = await me.again();
    const password = `New ${fresh()} 5?`;
    const response = ok(await me.put(`/users/${me.id}`, { ...me.user, password, currentPassword: me.password }));
    differs(response.headers.etag, undefined, 'tagged');
    fails(await other.get('/users'), 401, 1102);
    fails(await anyone.refresh(other.session.refreshToken), 401, 1104);
    ok(await me.get('/users'));
    created(await anyone.refresh(me.session.refreshToken));
    fails(await me.logIn(), 401, 1103);
    created(await me.logIn(password));
  },
  'a password that is left out is kept; the present one is no change': async ({ newcomer }) => {
    const me = await newcomer();
    const other = await me.again();
    const path = `/users/${me.id}`;
    const before = ok(await me.get(path));
    ok(await me.put(path, { ...me.user, companyName: 'Other' }));
    ok(await me.put(path, me.user));
    created(await me.logIn());
    const kept = ok(await me.get(path));
    const again = ok(await me.put(path, { ...me.user, password: me.password, currentPassword: me.password }));
    sameVersion(again, kept, 'no change');
    ok(await other.get('/users'));
    differs(before.headers.etag, kept.headers.etag, 'two real changes lie between');
  },
  'a password that an Admin sets ends all sessions of the User': async ({ admin, anyone, newcomer }) => {
    const me = await newcomer();
    const password = `New ${fresh()} 5?`;
    ok(await admin.put(`/users/${me.id}`, { ...me.user, password }));
    fails(await me.get('/users'), 401, 1102);
    fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
    created(await me.logIn(password));
    ok(await admin.get('/users?limit=1'));
  },
  'roles: a subset of ["admin"]': async ({ admin }) => {
    for (const [roles, error] of [
      ['admin', '5002 roles'],
      [{ 0: 'admin' }, '5002 roles'],
      [['Admin'], '5008 roles.0'],
      [['admin', 'nonsense'], '5008 roles.1'],
      [[5], '5002 roles.0'],
    ])
      invalid(await admin.post('/users', userFields({ roles })), error);
  },
  'an Admin grants and removes the role at once; left out, it is kept': async ({ bob, admin, newcomer }) => {
    const me = await newcomer({ roles: ['admin'] });
    same(me.user.roles, ['admin'], 'created with the role');
    ok(await me.get(`/users/${bob.id}`));
    const { roles, ...rest } = me.user;
    same(ok(await admin.put(`/users/${me.id}`, { ...rest, companyName: 'x' })).body.data.roles, ['admin'], 'kept');
    same(ok(await admin.put(`/users/${me.id}`, { ...rest, roles: [] })).body.data.roles, [], 'taken');
    fails(await me.get(`/users/${bob.id}`), 403, 1200);
  },
  'a change of roles by others is 403, after field errors and before 412': async ({ newcomer }) => {
    const me = await newcomer();
    const put = (fields, headers) => me.put(`/users/${me.id}`, { ...me.user, ...fields }, headers);
    ok(await put({ roles: [] }));
    fails(await put({ roles: ['admin'] }), 403, 1200);
    fails(await put({ roles: ['admin'] }, { 'if-match': '"stale"' }), 403, 1200);
    invalid(await put({ roles: ['admin'], companyName: '' }), '5622 companyName');
    same(ok(await me.get(`/users/${me.id}`)).body.roles, [], 'nothing changed');
  },
};

/** @type {import('../play.mjs').Scenes} played last: a service that breaks this promise has no Admin afterwards */
export const lastScenes = {
  'the last Admin stays: 409 (1507) for DELETE and for roles, before 1506': async ({ admin }) => {
    const path = `/users/${admin.id}`;
    for (const other of await otherAdmins(admin)) ok(await admin.put(`/users/${other._id}`, { ...other, roles: [] }));
    const before = ok(await admin.get(path));
    fails(await admin.delete(path), 409, 1507);
    fails(await admin.put(path, { ...before.body, roles: [] }), 409, 1507);
    const own = await admin.organization();
    fails(await admin.delete(path), 409, 1507);
    ok(await admin.delete(own.path), 204);
    sameVersion(await admin.get(path), before);
  },
};

async function otherAdmins(admin) {
  const found = [];
  for (let path = '/users?limit=100'; path;) {
    const page = ok(await admin.get(path));
    found.push(...page.body.data.filter((user) => user.roles.includes('admin') && user._id !== admin.id));
    path = links(page).next;
  }
  return found;
}

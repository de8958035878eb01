import { NOTHING, fresh } from '../caller.mjs';
import { FIELDS } from '../contract.mjs';
import { created, fails, has, holds, ids, invalid, ok, same } from '../expect.mjs';

const DAY = 86_400_000;
const upper = (text) => text.toUpperCase();

/** @type {import('../play.mjs').Scenes} Sessions: contract §3 (Session) and §4 */
export const scenes = {
  'POST /sessions with username or email and password returns a session and tokens': async ({ bob, anyone }) => {
    const response = await anyone.post('/sessions', { username: bob.user.username, password: bob.password });
    const session = created(response);
    same([session.tokenType, session.expiresIn], ['Bearer', 900], 'tokenType and expiresIn');
    holds(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(session.accessToken), 'the access token is a JWT');
    same(session.user, (await bob.get(`/users/${bob.id}`)).body, 'the user as GET returns it');
    same(Date.parse(session.expiresAt) - Date.parse(session.lastUsedAt), 30 * DAY, 'lives 30 days from its refresh');
    same(session.userAgent, 'roster-player/1', 'userAgent as sent');
    const stored = ok(await bob.get(response.headers.location)).body;
    has(session, Object.fromEntries(Object.keys(FIELDS.session).map((name) => [name, stored[name]])), 'stored');
  },
  'a login finds usernames and e-mail addresses without regard to case': async ({ bob, anyone }) => {
    const { user, password } = bob;
    for (const body of [{ username: upper(user.username) }, { email: user.email }, { email: upper(user.email) }]) {
      same(created(await anyone.post('/sessions', { ...body, password })).user._id, user._id, 'same user');
    }
  },
  'a login with neither name is 5001 on username, with both 5003 on email': async ({ anyone }) => {
    for (const [body, ...errors] of [
      [{}, '5001 username', '5001 password'],
      [{ password: 'x' }, '5001 username'],
      [{ username: 'a', email: 'b', password: 'x' }, '5003 email'],
      [{ username: 'abc' }, '5001 password'],
      [{ username: { $gt: '' }, password: 'x' }, '5002 username'],
      [{ email: ['a'], password: 'x' }, '5002 email'],
      [{ username: 'abc', password: { $ne: null } }, '5002 password'],
      [{ zzz: 1, username: 5, password: 5 }, '5002 username', '5002 password', '5003 zzz'],
    ])
      invalid(await anyone.post('/sessions', body), ...errors);
  },
  'a wrong login is 401 (1103), with the same bytes whether the account exists or not': async ({ bob, anyone }) => {
    const { username, email } = bob.user;
    const names = [{ username }, { username: fresh() }, { email }, { email: `${fresh()}@example.com` }];
    const responses = [];
    for (const name of names) responses.push(await anyone.post('/sessions', { ...name, password: 'not the password' }));
    for (const response of responses) fails(response, 401, 1103);
    same(new Set(responses.map((response) => response.text)).size, 1, 'same bytes');
  },
  'Authorization is ignored on POST /sessions and POST /tokens': async ({ bob, anyone }) => {
    const { user, password } = bob;
    const bad = { authorization: 'Bearer nonsense' };
    const session = created(await anyone.post('/sessions', { username: user.username, password }, bad));
    created(await anyone.post('/tokens', { refreshToken: session.refreshToken }, bad));
  },
  'GET /sessions lists the caller’s own sessions by _id, with paging but without q': async ({ newcomer }) => {
    const me = await newcomer();
    const others = [await me.again(), await me.again()];
    const expected = [me, ...others].map((caller) => caller.session._id).sort();
    same(ids(await me.get('/sessions')), expected, 'my sessions only');
    same(ids(await me.get('/sessions?limit=1&skip=1')), expected.slice(1, 2), 'skip and limit');
    same(ids(await me.get(`/sessions?after=${expected[0]}`)), expected.slice(1), 'after');
    fails(await me.get('/sessions?q=x'), 400, 1002);
  },
  'GET and DELETE /sessions/:id are for Self and Admins; 404 (1306) before 403': async ({ bob, admin, newcomer }) => {
    const me = await newcomer();
    const path = `/sessions/${me.session._id}`;
    fails(await bob.get(path), 403, 1200);
    fails(await bob.delete(path), 403, 1200);
    same(ok(await admin.get(path)).body._id, me.session._id, 'the Admin sees it');
    for (const method of ['GET', 'DELETE']) {
      fails(await me.send(method, `/sessions/${NOTHING}`), 404, 1306);
      fails(await me.send(method, '/sessions/nonsense'), 404, 1306);
    }
    ok(await me.send('HEAD', path));
    ok(await admin.delete(path), 204);
    fails(await me.get('/sessions'), 401, 1102);
  },
  'DELETE /sessions/:id: its access and refresh tokens stop working at once': async ({ anyone, newcomer }) => {
    const me = await newcomer();
    const other = await me.again();
    ok(await me.delete(`/sessions/${me.session._id}`), 204);
    fails(await me.get('/organizations'), 401, 1102);
    fails(await anyone.refresh(me.session.refreshToken), 401, 1104);
    same(ids(await other.get('/sessions')), [other.session._id], 'the ended session is gone');
    fails(await other.get(`/sessions/${me.session._id}`), 404, 1306);
    fails(await other.delete(`/sessions/${me.session._id}`), 404, 1306);
  },
  'DELETE of a session ignores If-Match': async ({ newcomer }) => {
    const me = await newcomer();
    ok(await me.delete(`/sessions/${me.session._id}`, { 'if-match': '"nothing"' }), 204);
  },
  'a User has at most 50 sessions: the least recently refreshed one ends': async ({ anyone, newcomer }) => {
    const first = await newcomer();
    const second = await first.again();
    created(await anyone.refresh(first.session.refreshToken));
    for (let count = 2; count < 51; count += 1) await first.again();
    const live = ids(await first.get('/sessions?limit=100'));
    same(live.length, 50, 'fifty stay');
    holds(live.includes(first.session._id), 'the refreshed one stays');
    holds(!live.includes(second.session._id), 'the least recently refreshed one left');
    fails(await second.get('/sessions'), 401, 1102);
  },
  'no credentials or another scheme: 1100; an unusable token: 1101': async ({ bob, anyone }) => {
    const [head, body, signature] = bob.token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const reversed = signature.split('').reverse().join('');
    const forged = [`${head}.${body}.`, `${none}.${body}.`, `${head}.${body}.${reversed}`];
    fails(await anyone.get('/users'), 401, 1100);
    fails(await anyone.get('/users', { authorization: 'Basic YTpi' }), 401, 1100);
    fails(await anyone.get('/users', { authorization: bob.token }), 401, 1100);
    for (const token of ['nonsense', bob.session.refreshToken, ...forged]) {
      fails(await anyone.get('/users', { authorization: `Bearer ${token}` }), 401, 1101);
    }
    ok(await anyone.get('/users', { authorization: `bearer ${bob.token}` }));
  },
};

import { created, fails, faulty, holds, ids, ok, same } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

const DAY = 86_400_000;
const upper = (text) => text.toUpperCase();

/** @type {import('../play.mjs').Scene[]} Sessions: contract §3 (Session) and §4 */
export const scenes = [
  [
    'POST /sessions: {username or email, password} gives a session and its tokens',
    async (world) => {
      const bob = await world.person('bob');
      const answer = await world.anyone.post('/sessions', { username: bob.user.username, password: bob.password });
      const session = created(answer);
      same([session.tokenType, session.expiresIn], ['Bearer', 900], 'tokenType and expiresIn');
      holds(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(session.accessToken), 'the access token is a JWT');
      same(session.user, (await bob.get(`/users/${bob.id}`)).body, 'the user as GET gives it');
      same(Date.parse(session.expiresAt) - Date.parse(session.lastUsedAt), 30 * DAY, 'lives 30 days from its refresh');
      same(session.userAgent, 'roster-player/1', 'userAgent as sent');
      const { accessToken, tokenType, expiresIn, refreshToken, user, ...stored } = session;
      same(ok(await bob.get(answer.headers.location)).body, stored, 'what was answered is stored');
    },
  ],
  [
    'usernames and e-mails are found without regard to case, at login too',
    async (world) => {
      const { user, password } = await world.person('bob');
      for (const body of [{ username: upper(user.username) }, { email: user.email }, { email: upper(user.email) }]) {
        same(created(await world.anyone.post('/sessions', { ...body, password })).user._id, user._id, 'same user');
      }
    },
  ],
  [
    'login faults: neither 5001 on username, both 5003 on email, unknown fields last',
    async ({ anyone }) => {
      const cases = [
        [
          {},
          [
            [5001, 'username'],
            [5001, 'password'],
          ],
        ],
        [{ password: 'x' }, [[5001, 'username']]],
        [{ username: 'a', email: 'b', password: 'x' }, [[5003, 'email']]],
        [{ username: 'abc' }, [[5001, 'password']]],
        [{ username: { $gt: '' }, password: 'x' }, [[5002, 'username']]],
        [{ email: ['a'], password: 'x' }, [[5002, 'email']]],
        [{ username: 'abc', password: { $ne: null } }, [[5002, 'password']]],
        [
          { extra: 1, username: 5, password: 5 },
          [
            [5002, 'username'],
            [5002, 'password'],
            [5003, 'extra'],
          ],
        ],
      ];
      for (const [body, faults] of cases) faulty(await anyone.post('/sessions', body), faults);
    },
  ],
  [
    'a wrong login is 401 (1103), same bytes whether the account exists or not',
    async (world) => {
      const { user } = await world.person('bob');
      const wrong = { password: 'not the password' };
      const answers = [
        await world.anyone.post('/sessions', { username: user.username, ...wrong }),
        await world.anyone.post('/sessions', { username: world.word(), ...wrong }),
        await world.anyone.post('/sessions', { email: user.email, ...wrong }),
        await world.anyone.post('/sessions', { email: 'nobody@example.com', ...wrong }),
      ];
      for (const answer of answers) fails(answer, 401, 1103);
      same(new Set(answers.map((answer) => answer.text)).size, 1, 'same bytes');
    },
  ],
  [
    'Authorization is ignored on POST /sessions and POST /tokens',
    async (world) => {
      const { user, password } = await world.person('bob');
      const bad = { authorization: 'Bearer nonsense' };
      const session = created(await world.anyone.post('/sessions', { username: user.username, password }, bad));
      created(await world.anyone.post('/tokens', { refreshToken: session.refreshToken }, bad));
    },
  ],
  [
    'GET /sessions: own live sessions, ordered by _id, with paging but without q',
    async (world) => {
      const me = await world.newcomer();
      const others = [
        await world.login(me.user.username, me.password),
        await world.login(me.user.username, me.password),
      ];
      const expected = [me, ...others].map((caller) => caller.session._id).sort();
      same(ids(await me.get('/sessions')), expected, 'my sessions only');
      same(ids(await me.get('/sessions?limit=1&skip=1')), expected.slice(1, 2), 'skip and limit');
      same(ids(await me.get(`/sessions?after=${expected[0]}`)), expected.slice(1), 'after');
      fails(await me.get('/sessions?q=x'), 400, 1002);
    },
  ],
  [
    'GET and DELETE /sessions/:id: self and Admin; others 403, no such session 404 1306',
    async (world) => {
      const [me, bob] = [await world.newcomer(), await world.person('bob')];
      const path = `/sessions/${me.session._id}`;
      fails(await bob.get(path), 403, 1200);
      fails(await bob.delete(path), 403, 1200);
      same(ok(await world.admin.get(path)).body._id, me.session._id, 'the Admin sees it');
      for (const method of ['GET', 'DELETE']) {
        fails(await me.ask(method, `/sessions/${NOBODY}`), 404, 1306);
        fails(await me.ask(method, '/sessions/nonsense'), 404, 1306);
      }
      ok(await me.ask('HEAD', path));
      ok(await world.admin.delete(path), 204);
      fails(await me.get('/sessions'), 401, 1102);
    },
  ],
  [
    'DELETE /sessions/:id: its access tokens stop working at once, and so does its refresh token',
    async (world) => {
      const me = await world.newcomer();
      const other = await world.login(me.user.username, me.password);
      ok(await me.delete(`/sessions/${me.session._id}`), 204);
      fails(await me.get('/organizations'), 401, 1102);
      fails(await world.anyone.post('/tokens', { refreshToken: me.session.refreshToken }), 401, 1104);
      same(ids(await other.get('/sessions')), [other.session._id], 'the ended session is gone');
      fails(await other.get(`/sessions/${me.session._id}`), 404, 1306);
      fails(await other.delete(`/sessions/${me.session._id}`), 404, 1306);
    },
  ],
  [
    'sessions have no ETag and If-Match is ignored there',
    async (world) => {
      const me = await world.newcomer();
      ok(await me.delete(`/sessions/${me.session._id}`, { 'if-match': '"nothing"' }), 204);
    },
  ],
  [
    'at most 50 sessions a user: the least recently refreshed leaves',
    async (world) => {
      const first = await world.newcomer();
      const second = await world.login(first.user.username, first.password);
      created(await world.anyone.post('/tokens', { refreshToken: first.session.refreshToken }));
      for (let count = 2; count < 51; count += 1) await world.login(first.user.username, first.password);
      const live = ids(await first.get('/sessions?limit=100'));
      same(live.length, 50, 'fifty stay');
      holds(live.includes(first.session._id), 'the refreshed one stays');
      holds(!live.includes(second.session._id), 'the least recently refreshed one left');
      fails(await second.get('/sessions'), 401, 1102);
    },
  ],
  [
    'another scheme or no credentials: 1100; an unusable token: 1101; the scheme in any case',
    async (world) => {
      const bob = await world.person('bob');
      const [head, body, signature] = bob.token.split('.');
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      const forged = [
        `${head}.${body}.`,
        `${none}.${body}.`,
        `${head}.${body}.${signature.split('').reverse().join('')}`,
      ];
      fails(await world.anyone.get('/users'), 401, 1100);
      fails(await world.anyone.get('/users', { authorization: 'Basic YTpi' }), 401, 1100);
      fails(await world.anyone.get('/users', { authorization: bob.token }), 401, 1100);
      for (const token of ['nonsense', bob.session.refreshToken, ...forged]) {
        fails(await world.anyone.get('/users', { authorization: `Bearer ${token}` }), 401, 1101);
      }
      ok(await world.anyone.get('/users', { authorization: `bearer ${bob.token}` }));
    },
  ],
];

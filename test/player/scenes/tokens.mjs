import { setTimeout as sleep } from 'node:timers/promises';
import { created, differs, fails, holds, invalid, ok, same, tick } from '../expect.mjs';

/** For how long a used refresh token may be sent again (contract §3), and how often the scene tries. */
const [GRACE_MS, POLL_MS] = [10_000, 500];

/** @type {import('../play.mjs').Scenes} Refreshing: contract §3 (Session) and §4 */
export const scenes = {
  'POST /tokens: a refresh token gets a fresh access token and its successor': async ({ newcomer }) => {
    const me = await newcomer();
    const path = `/sessions/${me.session._id}`;
    const before = ok(await me.get(path)).body;
    await tick();
    const token = created(await me.refresh(me.session.refreshToken));
    same([token.tokenType, token.expiresIn], ['Bearer', 900], 'tokenType and expiresIn');
    differs(token.refreshToken, me.session.refreshToken, 'a new refresh token');
    for (const caller of [me, me.as(token.accessToken)]) ok(await caller.get('/users'));
    const after = ok(await me.get(path)).body;
    holds(after.lastUsedAt > before.lastUsedAt, 'lastUsedAt is the last refresh');
    holds(after.expiresAt > before.expiresAt, 'it ends later after a refresh');
    same(after.createdAt, before.createdAt, 'createdAt stays');
    created(await me.refresh(token.refreshToken));
  },
  'invalid content of a refresh is 1024, and a token that was never issued is 1104': async ({ anyone, bob }) => {
    invalid(await anyone.post('/tokens', {}), '5001 refreshToken');
    invalid(await anyone.refresh(''), '5622 refreshToken');
    invalid(await anyone.refresh({ $ne: '' }), '5002 refreshToken');
    invalid(await anyone.post('/tokens', { refreshToken: 5, zzz: 1 }), '5002 refreshToken', '5003 zzz');
    for (const token of ['nonsense', 'A'.repeat(300), bob.token]) fails(await anyone.refresh(token), 401, 1104);
  },
  'a race of refreshes has one successor': async ({ newcomer }) => {
    const me = await newcomer();
    const responses = await Promise.all(Array.from({ length: 6 }, () => me.refresh(me.session.refreshToken)));
    const successors = new Set(responses.map((response) => created(response).refreshToken));
    same(successors.size, 1, 'one successor');
    created(await me.refresh([...successors][0]));
  },
  'for 10 s a used token returns the same successor; after that, it ends the session (1104)': async ({ newcomer }) => {
    const me = await newcomer();
    const other = await me.again();
    const { refreshToken } = me.session;
    const next = created(await me.refresh(refreshToken));
    const repeated = created(await me.refresh(refreshToken));
    ok(await me.as(repeated.accessToken).get('/users'));
    let response = await me.refresh(refreshToken);
    for (let waited = 0; response.status === 201 && waited < GRACE_MS + 1_000; waited += POLL_MS) {
      same(response.body.data.refreshToken, next.refreshToken, 'the same successor');
      await sleep(POLL_MS);
      response = await me.refresh(refreshToken);
    }
    fails(response, 401, 1104);
    fails(await me.refresh(next.refreshToken), 401, 1104);
    for (const caller of [me, me.as(next.accessToken)]) fails(await caller.get('/users'), 401, 1102);
    ok(await other.get('/users'));
  },
};

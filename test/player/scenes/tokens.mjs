import { setTimeout as sleep } from 'node:timers/promises';
import { created, differs, fails, faulty, holds, ok, same } from '../expect.mjs';

const refresh = (world, refreshToken) => world.anyone.post('/tokens', { refreshToken });
const withToken = (world, accessToken) => world.anyone.get('/users', { authorization: `Bearer ${accessToken}` });
const GRACE = 10_000;

/** @type {import('../play.mjs').Scene[]} Refreshing: contract §3 (Session) and §4 */
export const scenes = [
  [
    'POST /tokens: a refresh token gives a fresh access token and its successor',
    async (world) => {
      const me = await world.newcomer();
      const before = ok(await me.get(`/sessions/${me.session._id}`)).body;
      await sleep(5);
      const token = created(await refresh(world, me.session.refreshToken));
      same([token.tokenType, token.expiresIn], ['Bearer', 900], 'tokenType and expiresIn');
      differs(token.refreshToken, me.session.refreshToken, 'a new refresh token');
      ok(await withToken(world, token.accessToken));
      ok(await withToken(world, me.token));
      const after = ok(await me.get(`/sessions/${me.session._id}`)).body;
      holds(after.lastUsedAt > before.lastUsedAt, 'lastUsedAt is the last refresh');
      holds(after.expiresAt > before.expiresAt, 'it lives on from its last refresh');
      same(after.createdAt, before.createdAt, 'createdAt stays');
      created(await refresh(world, token.refreshToken));
    },
  ],
  [
    'faults of a refresh, and 1104 for a token that nobody was given',
    async (world) => {
      const me = await world.person('bob');
      faulty(await world.anyone.post('/tokens', {}), [[5001, 'refreshToken']]);
      faulty(await world.anyone.post('/tokens', { refreshToken: '' }), [[5622, 'refreshToken']]);
      faulty(await world.anyone.post('/tokens', { refreshToken: { $ne: '' } }), [[5002, 'refreshToken']]);
      faulty(await world.anyone.post('/tokens', { refreshToken: 5, more: 1 }), [
        [5002, 'refreshToken'],
        [5003, 'more'],
      ]);
      for (const token of ['nonsense', 'A'.repeat(300), me.token]) fails(await refresh(world, token), 401, 1104);
    },
  ],
  [
    'within 10 s the used token gives the same successor and a fresh access token',
    async (world) => {
      const me = await world.newcomer();
      const first = created(await refresh(world, me.session.refreshToken));
      const second = created(await refresh(world, me.session.refreshToken));
      same(second.refreshToken, first.refreshToken, 'the same successor');
      ok(await withToken(world, second.accessToken));
    },
  ],
  [
    'a race of refreshes has one successor',
    async (world) => {
      const me = await world.newcomer();
      const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(world, me.session.refreshToken)));
      same(new Set(answers.map((answer) => created(answer).refreshToken)).size, 1, 'one successor');
      created(await refresh(world, answers[0].body.data.refreshToken));
    },
  ],
  [
    'used later than 10 s after its use, a refresh token ends the session (1104)',
    async (world) => {
      const me = await world.newcomer();
      const other = await world.login(me.user.username, me.password);
      const next = created(await refresh(world, me.session.refreshToken));
      await sleep(GRACE + 1_000);
      fails(await refresh(world, me.session.refreshToken), 401, 1104);
      fails(await refresh(world, next.refreshToken), 401, 1104);
      fails(await withToken(world, next.accessToken), 401, 1102);
      fails(await me.get('/users'), 401, 1102);
      ok(await other.get('/users'));
    },
  ],
];

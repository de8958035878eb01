import { created, differs, fails, faulty, holds, ids, ok, same, tick } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

/** @type {import('../play.mjs').Scene[]} Managers: contract §3, §4 */
export const scenes = [
  [
    'POST takes exactly one of userId, username, email; the person becomes a manager',
    async (world) => {
      const [alice, { admin }] = [await world.person('alice'), world];
      const made = await world.organization(alice);
      const people = [await world.newcomer(), await world.newcomer(), await world.newcomer()];
      const [one, two, three] = people.map(({ user }) => user);
      const bodies = [
        { userId: one._id },
        { username: two.username.toUpperCase() },
        { email: three.email.toUpperCase() },
      ];
      for (const [index, body] of bodies.entries()) {
        const answer = await alice.post(`${made.path}/managers`, body);
        const { _id, username, companyName } = people[index].user;
        const manager = created(answer);
        same([manager._id, manager.username, manager.companyName], [_id, username, companyName], 'that person');
        same(manager.createdBy, alice.id, 'createdBy');
        const read = ok(await alice.get(answer.headers.location));
        same([read.body, read.headers.etag], [manager, answer.headers.etag], 'stored');
      }
      const expected = [alice, ...people].map((person) => person.id);
      same(ids(await admin.get(`${made.path}/managers`)), expected, 'ordered by joining');
      same(ok(await admin.get(made.path)).body.managerIds, expected, 'managerIds too');
    },
  ],
  [
    'none: 5001 on userId; more: 5003 on each after the first; nobody there: 5012',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      const { _id: userId, username, email } = bob.user;
      const cases = [
        [{}, [[5001, 'userId']]],
        [{ userId: null }, [[5001, 'userId']]],
        [{ email, userId }, [[5003, 'email']]],
        [{ username, email }, [[5003, 'email']]],
        [
          { userId, username, email, role: 1 },
          [
            [5003, 'username'],
            [5003, 'email'],
            [5003, 'role'],
          ],
        ],
        [{ userId: NOBODY }, [[5012, 'userId']]],
        [{ username: world.word() }, [[5012, 'username']]],
        [{ email: `${world.word()}@example.com` }, [[5012, 'email']]],
        [{ userId: { $ne: '' } }, [[5002, 'userId']]],
        [{ userId: NOBODY, more: 1 }, [[5003, 'more']]],
      ];
      for (const [body, faults] of cases) faulty(await alice.post(`${path}/managers`, body), faults);
      same(ok(await alice.get(path)).body.managerIds, [alice.id], 'nothing changed');
    },
  ],
  [
    'a person is a manager once: 409 (1504), in a race too',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const made = await world.organization(alice);
      fails(await alice.post(`${made.path}/managers`, { userId: alice.id }), 409, 1504);
      same(ok(await alice.get(made.path)).headers.etag, made.etag, 'nothing changed');
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => alice.post(`${made.path}/managers`, { userId: bob.id })),
      );
      same(answers.filter(({ status }) => status === 201).length, 1, 'one winner');
      for (const answer of answers.filter(({ status }) => status !== 201)) fails(answer, 409, 1504);
      same(ok(await alice.get(made.path)).body.managerIds, [alice.id, bob.id], 'once');
    },
  ],
  [
    'a change of managers raises the Organization’s revision and updatedAt',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const made = await world.organization(alice);
      await tick();
      created(await alice.post(`${made.path}/managers`, { userId: bob.id }));
      const joined = ok(await alice.get(made.path));
      differs(joined.headers.etag, made.etag, 'a new tag');
      holds(joined.body.updatedAt > made.updatedAt, 'updatedAt');
      ok(await alice.delete(`${made.path}/managers/${bob.id}`), 204);
      const left = ok(await alice.get(made.path));
      holds(![made.etag, joined.headers.etag].includes(left.headers.etag), 'again a new tag');
      fails(await alice.put(made.path, made, { 'if-match': made.etag }), 412, 1600);
    },
  ],
  [
    'email is shown to Admins and that person only',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      created(await alice.post(`${path}/managers`, { userId: bob.id }));
      const seen = async (caller) => ok(await caller.get(`${path}/managers`)).body.data.map((manager) => manager.email);
      same(await seen(alice), [alice.user.email, undefined], 'oneself');
      same(await seen(bob), [undefined, bob.user.email], 'oneself');
      same(await seen(world.admin), [alice.user.email, bob.user.email], 'an Admin');
      same('email' in ok(await alice.get(`${path}/managers/${bob.id}`)).body, false, 'one by one');
      same(ok(await world.admin.get(`${path}/managers/${bob.id}`)).body.email, bob.user.email, 'one by one');
    },
  ],
  [
    'fields are as the user has them now, and the tag is a hash of the body',
    async (world) => {
      const me = await world.newcomer();
      const { path } = await world.organization(me);
      const before = ok(await me.get(`${path}/managers/${me.id}`));
      const again = ok(await me.get(`${path}/managers/${me.id}`));
      same(again.headers.etag, before.headers.etag, 'the same body has the same tag');
      ok(await me.put(`/users/${me.id}`, { ...me.user, companyName: 'Renamed Ltd' }));
      const after = ok(await me.get(`${path}/managers/${me.id}`));
      same(after.body.companyName, 'Renamed Ltd', 'as now');
      differs(after.headers.etag, before.headers.etag, 'another body has another tag');
      ok(await me.get(`${path}/managers/${me.id}`, { 'if-none-match': after.headers.etag }), 304);
    },
  ],
  [
    'who may: managers and Admins; both must exist before rights are looked at (1234, 1304)',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      for (const [method, end] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `/${alice.id}`],
        ['DELETE', `/${alice.id}`],
      ]) {
        fails(await bob.ask(method, `${path}/managers${end}`), 403, 1200);
        fails(await world.anyone.ask(method, `${path}/managers${end}`), 401, 1100);
        fails(await bob.ask(method, `/organizations/${NOBODY}/managers${end}`), 404, 1234);
      }
      for (const method of ['GET', 'DELETE']) {
        for (const id of [NOBODY, bob.id, 'nonsense', '%00'])
          fails(await bob.ask(method, `${path}/managers/${id}`), 404, 1304);
        fails(await bob.ask(method, `/organizations/${NOBODY}/managers/${NOBODY}`), 404, 1234);
      }
    },
  ],
  [
    'DELETE: the last one stays, 409 (1506); one who left may join again, as the last to join',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      fails(await alice.delete(`${path}/managers/${alice.id}`), 409, 1506);
      fails(await world.admin.delete(`${path}/managers/${alice.id}`), 409, 1506);
      created(await alice.post(`${path}/managers`, { userId: bob.id }));
      ok(await alice.delete(`${path}/managers/${alice.id}`), 204);
      fails(await alice.get(`${path}/managers`), 403, 1200);
      fails(await bob.delete(`${path}/managers/${alice.id}`), 404, 1304);
      created(await bob.post(`${path}/managers`, { userId: alice.id }));
      same(ids(await bob.get(`${path}/managers`)), [bob.id, alice.id], 'by joining');
    },
  ],
  [
    'of two managers who leave at once, one stays',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      created(await alice.post(`${path}/managers`, { userId: bob.id }));
      const answers = await Promise.all([alice, bob].map((who) => world.admin.delete(`${path}/managers/${who.id}`)));
      same(answers.map(({ status }) => status).sort(), [204, 409], 'one wins');
      fails(
        answers.find(({ status }) => status === 409),
        409,
        1506,
      );
      same(ok(await bob.get(path)).body.managerIds.length, 1, 'one is left');
    },
  ],
  [
    'If-Match on DELETE of a manager; the list has skip, limit, q and no after',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const { path } = await world.organization(alice);
      const { headers } = await alice.post(`${path}/managers`, { userId: bob.id });
      fails(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': '"x"' }), 412, 1600);
      same(ids(await alice.get(`${path}/managers?skip=1&limit=1`)), [bob.id], 'skip and limit');
      same(ids(await alice.get(`${path}/managers?q=${bob.user.username.toUpperCase()}`)), [bob.id], 'q on username');
      same(ids(await world.admin.get(`${path}/managers?q=example.com`)), [], 'q does not look at e-mails');
      fails(await alice.get(`${path}/managers?after=${alice.id}`), 400, 1002);
      ok(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': headers.etag }), 204);
    },
  ],
];

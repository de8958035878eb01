import { NOTHING, fresh } from '../caller.mjs';
import { created, differs, fails, has, holds, ids, invalid, ok, oneWins, same, sameVersion, tick } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} Managers: contract §3, §4 */
export const scenes = {
  'POST takes a userId, username or email; that User becomes a Manager': async ({ alice, admin, newcomer }) => {
    const made = await alice.organization();
    const people = [await newcomer(), await newcomer(), await newcomer()];
    const [one, two, three] = people.map(({ user }) => user);
    for (const [user, body] of [
      [one, { userId: one._id }],
      [two, { username: two.username.toUpperCase() }],
      [three, { email: three.email.toUpperCase() }],
    ]) {
      const response = await alice.post(`${made.path}/managers`, body);
      const { _id, username, companyName } = user;
      has(created(response), { _id, username, companyName, createdBy: alice.id }, 'that person');
      sameVersion(await alice.get(response.headers.location), response, 'stored');
    }
    const expected = [alice, ...people].map((person) => person.id);
    same(ids(await admin.get(`${made.path}/managers`)), expected, 'ordered by joining');
    same(ok(await admin.get(made.path)).body.managerIds, expected, 'managerIds too');
  },
  'none of them: 5001 on userId; more: 5003 on each after the first; no such User: 5012': async ({ alice, bob }) => {
    const { path } = await alice.organization();
    const { _id: userId, username, email } = bob.user;
    for (const [body, ...errors] of [
      [{}, '5001 userId'],
      [{ userId: null }, '5001 userId'],
      [{ email, userId }, '5003 email'],
      [{ username, email }, '5003 email'],
      [{ userId, username, email, zzz: 1 }, '5003 username', '5003 email', '5003 zzz'],
      [{ userId: NOTHING }, '5012 userId'],
      [{ username: fresh() }, '5012 username'],
      [{ email: `${fresh()}@example.com` }, '5012 email'],
      [{ userId: { $ne: '' } }, '5002 userId'],
      [{ userId: NOTHING, zzz: 1 }, '5003 zzz'],
    ])
      invalid(await alice.post(`${path}/managers`, body), ...errors);
    same(ok(await alice.get(path)).body.managerIds, [alice.id], 'nothing changed');
  },
  'a person is a Manager only once: 409 (1504), also in a race': async ({ alice, bob }) => {
    const made = await alice.organization();
    fails(await alice.post(`${made.path}/managers`, { userId: alice.id }), 409, 1504);
    sameVersion(await alice.get(made.path), made);
    const add = () => alice.post(`${made.path}/managers`, { userId: bob.id });
    const responses = await Promise.all(Array.from({ length: 6 }, add));
    oneWins(responses, 201, 409, 1504);
    same(ok(await alice.get(made.path)).body.managerIds, [alice.id, bob.id], 'once');
  },
  'a change of Managers changes the revision and updatedAt of the Organization': async ({ alice, bob }) => {
    const made = await alice.organization();
    await tick();
    created(await alice.post(`${made.path}/managers`, { userId: bob.id }));
    const joined = ok(await alice.get(made.path));
    differs(joined.headers.etag, made.etag, 'a new ETag');
    holds(joined.body.updatedAt > made.updatedAt, 'updatedAt');
    ok(await alice.delete(`${made.path}/managers/${bob.id}`), 204);
    const left = ok(await alice.get(made.path));
    holds(![made.etag, joined.headers.etag].includes(left.headers.etag), 'another ETag');
    fails(await alice.put(made.path, made, { 'if-match': made.etag }), 412, 1600);
  },
  'only Admins and that person see the email': async ({ alice, bob, admin }) => {
    const { path } = await alice.organization();
    created(await alice.post(`${path}/managers`, { userId: bob.id }));
    const seen = async (caller) => ok(await caller.get(`${path}/managers`)).body.data.map((manager) => manager.email);
    same(await seen(alice), [alice.user.email, undefined], 'their own');
    same(await seen(bob), [undefined, bob.user.email], 'their own');
    same(await seen(admin), [alice.user.email, bob.user.email], 'an Admin');
    same('email' in ok(await alice.get(`${path}/managers/${bob.id}`)).body, false, 'one by one');
    same(ok(await admin.get(`${path}/managers/${bob.id}`)).body.email, bob.user.email, 'one by one');
  },
  'fields are as the User has them now, and so is the ETag': async ({ newcomer }) => {
    const me = await newcomer();
    const { path } = await me.organization();
    const before = ok(await me.get(`${path}/managers/${me.id}`));
    const again = ok(await me.get(`${path}/managers/${me.id}`));
    same(again.headers.etag, before.headers.etag, 'the same body has the same ETag');
    ok(await me.put(`/users/${me.id}`, { ...me.user, companyName: 'Renamed Ltd' }));
    const after = ok(await me.get(`${path}/managers/${me.id}`));
    same(after.body.companyName, 'Renamed Ltd', 'as now');
    differs(after.headers.etag, before.headers.etag, 'another body has another ETag');
    ok(await me.get(`${path}/managers/${me.id}`, { 'if-none-match': after.headers.etag }), 304);
  },
  'for Managers and Admins only; 404 (1234, 1304) before 403': async ({ alice, bob, anyone }) => {
    const { path } = await alice.organization();
    for (const request of ['GET ', 'POST ', `GET /${alice.id}`, `DELETE /${alice.id}`]) {
      const [method, end] = request.split(' ');
      fails(await bob.send(method, `${path}/managers${end}`), 403, 1200);
      fails(await anyone.send(method, `${path}/managers${end}`), 401, 1100);
      fails(await bob.send(method, `/organizations/${NOTHING}/managers${end}`), 404, 1234);
    }
    for (const method of ['GET', 'DELETE']) {
      for (const id of [NOTHING, bob.id, 'nonsense', '%00'])
        fails(await bob.send(method, `${path}/managers/${id}`), 404, 1304);
      fails(await bob.send(method, `/organizations/${NOTHING}/managers/${NOTHING}`), 404, 1234);
    }
  },
  'the last Manager stays, 409 (1506); one who left can join again, as the last': async ({ alice, bob, admin }) => {
    const { path } = await alice.organization();
    fails(await alice.delete(`${path}/managers/${alice.id}`), 409, 1506);
    fails(await admin.delete(`${path}/managers/${alice.id}`), 409, 1506);
    created(await alice.post(`${path}/managers`, { userId: bob.id }));
    ok(await alice.delete(`${path}/managers/${alice.id}`), 204);
    fails(await alice.get(`${path}/managers`), 403, 1200);
    fails(await bob.delete(`${path}/managers/${alice.id}`), 404, 1304);
    created(await bob.post(`${path}/managers`, { userId: alice.id }));
    same(ids(await bob.get(`${path}/managers`)), [bob.id, alice.id], 'by joining');
  },
  'of two Managers who leave at once, one stays': async ({ alice, bob, admin }) => {
    const { path } = await alice.organization();
    created(await alice.post(`${path}/managers`, { userId: bob.id }));
    const responses = await Promise.all([alice, bob].map((who) => admin.delete(`${path}/managers/${who.id}`)));
    oneWins(responses, 204, 409, 1506);
    same(ok(await bob.get(path)).body.managerIds.length, 1, 'one is left');
  },
  'If-Match on DELETE of a Manager; the list has skip, limit and q, but not after': async ({ alice, bob, admin }) => {
    const { path } = await alice.organization();
    const { headers } = await alice.post(`${path}/managers`, { userId: bob.id });
    fails(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': '"x"' }), 412, 1600);
    same(ids(await alice.get(`${path}/managers?skip=1&limit=1`)), [bob.id], 'skip and limit');
    same(ids(await alice.get(`${path}/managers?q=${bob.user.username.toUpperCase()}`)), [bob.id], 'q on username');
    same(ids(await admin.get(`${path}/managers?q=example.com`)), [], 'q does not look at e-mails');
    fails(await alice.get(`${path}/managers?after=${alice.id}`), 400, 1002);
    ok(await alice.delete(`${path}/managers/${bob.id}`, { 'if-match': headers.etag }), 204);
  },
};

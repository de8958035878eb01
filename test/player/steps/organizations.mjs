import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, namedBody, newWord } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, oneWins, sameVersion, tick } from '../expect.mjs';
import { admin, alice, bob, newUser } from '../main.mjs';

/** Organizations: contract §3, §4 */

test('POST /organizations makes its creator the first Manager, and PUT clears what is left out', async () => {
  const name = newWord();
  const response = await alice.post('/organizations', { name, url: 'https://example.com', description: 'words' });
  const record = created(response);
  has(record, { name, url: 'https://example.com', managerIds: [alice.id], createdBy: alice.id });
  has(record, { description: 'words', featuredApiIds: [], organizationLogoFileId: null, updatedAt: record.createdAt });
  const path = response.headers.location;
  sameVersion(await alice.get(path), response);
  await tick();
  const { data } = ok(await alice.put(path, { name, url: 'https://example.org/' })).body;
  assert.deepEqual(data, { ...record, url: 'https://example.org/', description: '', updatedAt: data.updatedAt });
  assert.ok(data.updatedAt > record.updatedAt);
});

test('Read-only fields are accepted and ignored, in POST and in PUT', async () => {
  const ignored = { _id: UNKNOWN_ID, slug: 'x', friendlySlugs: 5, createdAt: 'x', updatedAt: null };
  const made = await alice.organization(ignored);
  has(made, { managerIds: [alice.id], slug: made.name });
  sameVersion(await alice.put(made.path, { ...made, ...ignored }), made);
  invalid(await alice.put(made.path, { ...made, __v: 1, id: made._id }), '5003 __v', '5003 id');
  invalid(await alice.put(made.path, { ...made, managerIds: [] }), '5004 managerIds');
});

test('PUT and DELETE of an Organization are for Managers and Admins', async () => {
  const made = await alice.organization();
  ok(await bob.get(made.path));
  for (const method of ['PUT', 'DELETE']) fails(await bob.send(method, made.path), 403, 1200);
  ok(await admin.put(made.path, { ...made, description: 'by the Admin' }));
  ok(await admin.delete(made.path), 204);
  fails(await alice.get(made.path), 404, 1234);
});

test('Names of Organizations are unique by their case fold, also in a race', async () => {
  const word = newWord();
  const body = namedBody({ name: `${word} Straße ΣΑΣ ﬁn` });
  const responses = await Promise.all(Array.from({ length: 8 }, () => alice.post('/organizations', body)));
  oneWins(responses, 201, 409, 1501);
  const equal = [`${word} STRASSE σας FIN`, `${word} Stra\u200dße ΣΑΣ ｆin`];
  for (const name of equal) fails(await alice.post('/organizations', namedBody({ name })), 409, 1501);
  const other = await alice.organization();
  fails(await alice.put(other.path, { ...other, name: equal[0] }), 409, 1501);
});

test('Organizations are filtered by slug and managerId', async () => {
  const me = await newUser();
  const [one, two] = [await me.organization(), await me.organization()];
  for (const [query, ...expected] of [
    [`managerId=${me.id}`, one, two],
    ['managerId=me', one, two],
    [`managerId=${me.id}&slug=${two.slug}`, two],
    [`slug=${one.slug.toUpperCase()}`],
  ]) {
    const expectedIds = expected.map(({ _id }) => _id);
    assert.deepEqual(ids(await me.get(`/organizations?${query}`)), expectedIds, query);
  }
  fails(await me.get('/organizations?managerId=ME'), 400, 1002);
});

test('Managers and Admins read the Events of an Organization, the newest first', async () => {
  const me = await newUser();
  const { _id, path, name, ...rest } = await me.organization();
  ok(await me.put(path, { ...rest, name: newWord() }));
  ok(await me.put(path, { ...rest, name }));
  for (const list of [await me.get(`${path}/events`), await admin.get(`/events?organizationId=${_id}`)]) {
    const types = ok(list).body.data.map(({ type }) => type);
    const updated = 'organization.updated';
    assert.deepEqual(types, [updated, updated, 'manager.created', 'organization.created']);
    has(list.body.data[0], { resourceName: name, actorId: me.id, changes: [{ field: 'name' }] });
  }
  fails(await bob.get(`${path}/events`), 403, 1200);
});

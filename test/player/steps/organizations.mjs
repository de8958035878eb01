import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, namedBody, newWord } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, oneWins, sameVersion, tick } from '../expect.mjs';
import { admin, alice, anyone, bob, newUser } from '../main.mjs';

/** Organizations: contract §3, §4 */

test('POST /organizations makes its creator the first Manager and fills in defaults', async () => {
  const name = newWord();
  const response = await alice.post('/organizations', { name, url: 'https://example.com' });
  const record = created(response);
  has(record, { name, url: 'https://example.com', managerIds: [alice.id], createdBy: alice.id });
  has(record, { description: '', featuredApiIds: [], organizationLogoFileId: null, updatedAt: record.createdAt });
  sameVersion(await alice.get(response.headers.location), response);
  assert.deepEqual(ok(await alice.get(`/organizations?slug=${name}`)).body.data, [record]);
});

test('All field errors of an Organization are reported at once, in the order of the fields', async () => {
  invalid(await alice.post('/organizations', {}), '5001 name', '5001 url');
  const body = { zeta: 1, organizationLogoFileId: 5, featuredApiIds: {}, alpha: 2, description: 5, url: 'x', name: '' };
  const list = ['5002 featuredApiIds', '5002 organizationLogoFileId', '5003 zeta', '5003 alpha'];
  invalid(await alice.post('/organizations', body), '5622 name', '5007 url', '5002 description', ...list);
});

test('Read-only fields are accepted and ignored, in POST and in PUT', async () => {
  const ignored = { _id: UNKNOWN_ID, slug: 'x', friendlySlugs: 5, managerIds: [], createdAt: 'x', updatedAt: null };
  const made = await alice.organization(ignored);
  has(made, { managerIds: [alice.id], slug: made.name });
  sameVersion(await alice.put(made.path, { ...made, ...ignored }), made);
  invalid(await alice.put(made.path, { ...made, __v: 1, id: made._id }), '5003 __v', '5003 id');
});

test('PUT /organizations/:id clears optional fields that are left out', async () => {
  const made = await alice.organization({ description: 'words' });
  await tick();
  const response = ok(await alice.put(made.path, { name: made.name, url: 'https://example.org/' }));
  const { updatedAt } = response.body.data;
  assert.deepEqual(response.body.data, { ...made, url: 'https://example.org/', description: '', updatedAt });
  assert.ok(updatedAt > made.updatedAt);
  sameVersion(await alice.get(made.path), response);
  invalid(await alice.put(made.path, { description: 'x' }), '5001 name', '5001 url');
});

test('PUT and DELETE of an Organization are for Managers and Admins, and 404 comes before 403', async () => {
  const made = await alice.organization();
  ok(await bob.get(made.path));
  for (const method of ['PUT', 'DELETE']) {
    fails(await anyone.send(method, made.path), 401, 1100);
    fails(await bob.send(method, `/organizations/${UNKNOWN_ID}`), 404, 1234);
    fails(await bob.send(method, made.path), 403, 1200);
  }
  ok(await admin.put(made.path, { ...made, description: 'by the Admin' }));
  ok(await admin.delete(made.path), 204);
  for (const method of ['GET', 'PUT', 'DELETE']) fails(await alice.send(method, made.path), 404, 1234);
});

test('Names of Organizations are unique by their case fold', async () => {
  const word = newWord();
  const made = await alice.organization({ name: `${word} Straße ΣΑΣ ﬁn` });
  const equal = [`${word} STRASSE σας FIN`, `${word} Stra\u200dße ΣΑΣ ｆin`];
  for (const name of equal) fails(await alice.post('/organizations', namedBody({ name })), 409, 1501);
  const other = await alice.organization();
  fails(await alice.put(other.path, { ...other, name: equal[0] }), 409, 1501);
  assert.equal(ok(await alice.put(made.path, { ...made, name: equal[1] })).body.data.name, equal[1]);
  ok(await alice.delete(made.path), 204);
  await alice.organization({ name: equal[0] });
});

test('Of several POSTs of one name at once, one succeeds', async () => {
  const body = namedBody();
  const responses = await Promise.all(Array.from({ length: 8 }, () => alice.post('/organizations', body)));
  oneWins(responses, 201, 409, 1501);
  assert.equal(ids(await alice.get(`/organizations?q=${body.name}`)).length, 1);
});

test('Organizations are filtered by slug and managerId', async () => {
  const me = await newUser();
  const [one, two] = [await me.organization(), await me.organization()];
  for (const [query, ...expected] of [
    [`managerId=${me.id}`, one, two],
    [`managerId=${me.id}&slug=${two.slug}`, two],
    [`slug=${one.slug.slice(0, -1)}`],
    [`slug=${one.slug.toUpperCase()}`],
    [`managerId=${UNKNOWN_ID}`],
  ]) {
    const expectedIds = expected.map(({ _id }) => _id);
    assert.deepEqual(ids(await me.get(`/organizations?${query}`)), expectedIds, query);
  }
  fails(await me.get('/organizations?managerId=me'), 400, 1002);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, newWord } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, sameVersion, tick } from '../expect.mjs';
import { admin, alice, bob, newUser } from '../main.mjs';

/** Organizations, their slugs and their Events: contract §3, §4 */

const slugOf = ({ slug, friendlySlugs }) => [slug, friendlySlugs.slug.base, friendlySlugs.slug.index];
const slugFor = async (name) => slugOf(await alice.organization({ name }));
const rename = async (organization, name) =>
  slugOf(ok(await alice.put(organization.path, { ...organization, name })).body.data);
const found = async (slug) => ids(await alice.get(`/organizations?slug=${slug}`));

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

test('A record keeps its old slugs and gets them back; a deletion frees them', async () => {
  const [foo, bar] = [newWord(), newWord()];
  const first = await alice.organization({ name: foo });
  assert.deepEqual(await rename(first, bar), [bar, bar, 0]);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), [first._id]);
  assert.deepEqual(await slugFor(foo), [`${foo}-1`, foo, 1]);
  assert.deepEqual(await rename(first, `${foo}!`), [foo, foo, 0]);
  ok(await alice.delete(first.path), 204);
  for (const slug of [foo, bar]) assert.deepEqual(await found(slug), []);
  assert.deepEqual(await slugFor(`${foo}?`), [`${foo}-2`, foo, 2]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWord } from '../client.mjs';
import { created, fails, has, ok, sameVersion, tick } from '../expect.mjs';
import { admin, alice, bob, newUser } from '../main.mjs';

/** Organizations and their Events: contract §3, §4 */

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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_ID, namedBody, newWord } from '../client.mjs';
import { created, fails, has, ids, invalid, ok, sameVersion, tick } from '../expect.mjs';
import { admin, alice, anyone, bob } from '../main.mjs';

/** APIs: contract §3, §4 */

const PUBLIC = { isPublic: true };
const DEFAULTS = { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null };

test('POST /organizations/:id/apis fills in defaults', async () => {
  const organization = await alice.organization();
  const body = namedBody();
  const response = await alice.post(`${organization.path}/apis`, body);
  const record = created(response);
  has(record, { ...body, ...DEFAULTS, organizationId: organization._id, createdBy: alice.id, slug: body.name });
  assert.equal(record.updatedAt, record.createdAt);
  sameVersion(await alice.get(`/apis/${record._id}`), response);
  const nulls = { lifecycleStatus: null, isPublic: null, documentationUrl: null, description: null };
  has(await alice.api(organization, nulls), DEFAULTS);
});

test('PUT /apis/:id replaces an API; what GET returned changes nothing', async () => {
  const organization = await alice.organization();
  const fields = { isPublic: true, lifecycleStatus: 'testing', documentationUrl: 'https://example.com' };
  const made = await alice.api(organization, fields);
  sameVersion(await alice.put(made.path, { ...made, organizationId: UNKNOWN_ID }), made);
  await tick();
  const { data } = ok(await alice.put(made.path, { name: made.name, url: made.url })).body;
  assert.deepEqual(data, { ...made, ...DEFAULTS, updatedAt: data.updatedAt });
  assert.ok(data.updatedAt > made.updatedAt);
  fails(await alice.put(made.path, made, { 'if-match': made.etag }), 412, 1600);
  fails(await alice.delete(made.path, { 'if-match': made.etag }), 412, 1600);
});

test('Names of APIs are unique in their Organization, slugs over all APIs', async () => {
  const organization = await alice.organization();
  const { name } = await alice.api(organization);
  fails(await alice.post(`${organization.path}/apis`, namedBody({ name: name.toUpperCase() })), 409, 1505);
  const other = await alice.api(organization);
  fails(await alice.put(other.path, { ...other, name }), 409, 1505);
  has(await alice.api(await alice.organization(), { name }), { slug: `${name}-1` });
  has(await alice.organization({ name }), { slug: name });
});

test('A private API is for Managers and Admins, and 404 comes before 403', async () => {
  const organization = await alice.organization();
  const apis = `${organization.path}/apis`;
  const [open, closed] = [await alice.api(organization, PUBLIC), await alice.api(organization)];
  ok(await bob.get(open.path));
  ok(await admin.get(closed.path));
  fails(await bob.get(closed.path), 403, 1200);
  fails(await bob.post(apis, {}), 403, 1200);
  for (const method of ['GET', 'POST']) fails(await bob.send(method, `/organizations/${UNKNOWN_ID}/apis`), 404, 1234);
  for (const method of ['PUT', 'DELETE']) {
    fails(await anyone.send(method, open.path), 401, 1100);
    fails(await bob.send(method, `/apis/${UNKNOWN_ID}`), 404, 1303);
    fails(await bob.send(method, open.path), 403, 1200);
  }
  ok(await admin.put(closed.path, { ...closed, description: 'by the Admin' }));
  ok(await alice.delete(open.path), 204);
  fails(await alice.get(open.path), 404, 1303);
});

test('Lists have the APIs that the caller may see, with filters and q', async () => {
  const organization = await alice.organization();
  const apis = `${organization.path}/apis`;
  const word = newWord();
  const shown = { isPublic: true, description: `x ${word}`, lifecycleStatus: 'production' };
  const open = await alice.api(organization, shown);
  const closed = await alice.api(organization, { url: `https://example.com/${word}` });
  const other = await alice.api(await alice.organization(), { name: `${word} Z`, isPublic: true });
  const { _id } = organization;
  for (const [client, path, ...expected] of [
    [alice, apis, open, closed],
    [bob, apis, open],
    [admin, `/apis?q=${word.toUpperCase()}`, open, closed, other],
    [bob, `/apis?q=${word}`, open, other],
    [alice, `/apis?q=${word}&organizationId=${_id}&lifecycleStatus=design`, closed],
    [bob, `/apis?organizationId=${_id}`, open],
    [bob, `/apis?slug=${closed.slug}`],
    [alice, `/apis?slug=${closed.slug}`, closed],
    [alice, `/apis?q=${word}&after=${open._id}&limit=1`, closed],
  ]) {
    const expectedIds = expected.map((api) => api._id);
    assert.deepEqual(ids(await client.get(path)), expectedIds, path);
  }
  const counted = await bob.get(`${apis}?limit=1`, { prefer: 'count=exact' });
  assert.equal(counted.headers['x-total-count'], '1');
  for (const query of ['organizationId=x', 'lifecycleStatus=dead', 'zzz=true'])
    fails(await alice.get(`/apis?${query}`), 400, 1002);
});

test('DELETE of an Organization deletes its APIs and frees their slugs', async () => {
  const organization = await alice.organization();
  const api = await alice.api(organization, PUBLIC);
  ok(await alice.delete(organization.path), 204);
  fails(await alice.get(api.path), 404, 1303);
  has(await alice.api(await alice.organization(), { name: api.name }), { slug: api.slug });
});

test('featuredApiIds has public APIs of this Organization, in the order sent', async () => {
  const organization = await alice.organization();
  const put = (featuredApiIds) => alice.put(organization.path, { ...organization, featuredApiIds });
  const [one, two] = [await alice.api(organization, PUBLIC), await alice.api(organization, PUBLIC)];
  const closed = await alice.api(organization);
  const foreign = await alice.api(await alice.organization(), PUBLIC);
  for (const wrong of [closed, foreign, organization])
    invalid(await put([one._id, wrong._id]), '5012 featuredApiIds.1');
  invalid(await put([one._id, one._id]), '5011 featuredApiIds.1');
  invalid(await put([1, 2, 3, 4, 5].map((digit) => String(digit).repeat(24))), '5010 featuredApiIds');
  has(ok(await put([two._id, one._id])).body.data, { featuredApiIds: [two._id, one._id] });
});

test('An API that is deleted or becomes private leaves featuredApiIds, which is a change', async () => {
  const organization = await alice.organization();
  const [one, two] = [await alice.api(organization, PUBLIC), await alice.api(organization, PUBLIC)];
  const full = ok(await alice.put(organization.path, { ...organization, featuredApiIds: [one._id, two._id] }));
  await tick();
  ok(await alice.put(one.path, { ...one, isPublic: false }));
  const less = ok(await alice.get(organization.path));
  assert.deepEqual(less.body.featuredApiIds, [two._id]);
  assert.ok(less.body.updatedAt > full.body.data.updatedAt);
  ok(await alice.delete(two.path), 204);
  const none = ok(await alice.get(organization.path));
  assert.deepEqual(none.body.featuredApiIds, []);
  assert.equal(new Set([full, less, none].map(({ headers }) => headers.etag)).size, 3);
});

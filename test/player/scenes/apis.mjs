import { NOTHING, fresh, namedFields } from '../caller.mjs';
import { created, differs, fails, has, holds, ids, invalid, ok, same, sameVersion, tick } from '../expect.mjs';

const STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'];
const PUBLIC = { isPublic: true };

/** @type {import('../play.mjs').Scenes} APIs: contract §3, §4 */
export const scenes = {
  'POST /organizations/:id/apis: fields that are left out have their defaults': async ({ alice }) => {
    const organization = await alice.organization();
    const apis = `${organization.path}/apis`;
    const name = fresh();
    const response = await alice.post(apis, { name, url: 'https://example.com/api' });
    const record = created(response);
    has(record, { name, url: 'https://example.com/api', organizationId: organization._id, createdBy: alice.id });
    has(record, { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null }, 'defaults');
    has(record, { slug: name, friendlySlugs: { slug: { base: name, index: 0 } }, updatedAt: record.createdAt });
    sameVersion(await alice.get(`/apis/${record._id}`), response, 'stored, with the same ETag');
  },
  'field errors are in the order of the fields; each field has its bounds and values': async ({ alice }) => {
    const organization = await alice.organization();
    const apis = `${organization.path}/apis`;
    const post = (fields) => alice.post(apis, namedFields(fields));
    const all = { zzz: 1, documentationUrl: 'x', isPublic: 'true', lifecycleStatus: 'dead' };
    invalid(
      await alice.post(apis, { ...all, description: 5, url: '', name: 5 }),
      '5002 name',
      '5622 url',
      '5002 description',
      '5008 lifecycleStatus',
      '5002 isPublic',
      '5007 documentationUrl',
      '5003 zzz',
    );
    invalid(await alice.post(apis, {}), '5001 name', '5001 url');
    for (const [field, code, value] of [
      ['name', 5006, 'x'.repeat(256)],
      ['name', 5432, 'a\u200bb'],
      ['description', 5006, 'x'.repeat(1001)],
      ['lifecycleStatus', 5008, 'Design'],
      ['lifecycleStatus', 5002, 5],
      ['isPublic', 5002, 1],
      ['documentationUrl', 5002, 5],
      ['documentationUrl', 5006, `https://example.com/${'x'.repeat(2029)}`],
    ])
      invalid(await post({ [field]: value }), `${code} ${field}`);
    for (const lifecycleStatus of STATUSES)
      same(created(await post({ lifecycleStatus })).lifecycleStatus, lifecycleStatus, 'stored');
    const nulls = { lifecycleStatus: null, isPublic: null, documentationUrl: null, description: null };
    const defaults = { lifecycleStatus: 'design', isPublic: false, documentationUrl: null, description: '' };
    has(created(await post(nulls)), defaults, 'null counts as left out');
  },
  'PUT replaces and ignores read-only fields; PUT of what GET returned changes nothing': async ({ alice }) => {
    const organization = await alice.organization();
    const fields = { isPublic: true, lifecycleStatus: 'testing', documentationUrl: 'https://example.com' };
    const made = await alice.api(organization, fields);
    sameVersion(await alice.put(made.path, { ...made, organizationId: NOTHING }), made);
    await tick();
    const response = ok(await alice.put(made.path, { name: made.name, url: made.url }));
    const { updatedAt, ...rest } = response.body.data;
    const defaults = { isPublic: false, lifecycleStatus: 'design', documentationUrl: null };
    const { updatedAt: before, ...expected } = { ...made, ...defaults };
    same(rest, expected, 'replaced');
    holds(updatedAt > before, 'updatedAt');
    fails(await alice.put(made.path, made, { 'if-match': made.etag }), 412, 1600);
    fails(await alice.delete(made.path, { 'if-match': made.etag }), 412, 1600);
    ok(await alice.get(made.path, { 'if-none-match': response.headers.etag }), 304);
  },
  'names are unique in their Organization without regard to case (1505), slugs over all APIs': async ({ alice }) => {
    const organization = await alice.organization();
    const apis = `${organization.path}/apis`;
    const name = fresh();
    await alice.api(organization, { name });
    fails(await alice.post(apis, namedFields({ name: name.toUpperCase() })), 409, 1505);
    const other = await alice.api(organization);
    fails(await alice.put(other.path, { ...other, name }), 409, 1505);
    const elsewhere = await alice.api(await alice.organization(), { name });
    same([elsewhere.slug, elsewhere.friendlySlugs.slug.index], [`${name}-1`, 1], 'the next slug');
    await alice.organization({ name });
    const bases = await alice.api(organization, { name: '!!' });
    same(bases.friendlySlugs.slug.base, 'api', 'an empty base becomes api');
  },
  'a private API is for Managers and Admins; 404 before 403': async ({ alice, bob, admin, anyone }) => {
    const organization = await alice.organization();
    const apis = `${organization.path}/apis`;
    const open = await alice.api(organization, PUBLIC);
    const closed = await alice.api(organization);
    ok(await bob.get(open.path));
    fails(await bob.get(closed.path), 403, 1200);
    ok(await admin.get(closed.path));
    for (const method of ['PUT', 'DELETE']) {
      fails(await bob.send(method, open.path), 403, 1200);
      fails(await anyone.send(method, open.path), 401, 1100);
    }
    for (const method of ['GET', 'PUT', 'DELETE']) fails(await bob.send(method, `/apis/${NOTHING}`), 404, 1303);
    fails(await bob.post(apis, {}), 403, 1200);
    fails(await bob.post(`/organizations/${NOTHING}/apis`, {}), 404, 1234);
    fails(await bob.get(`/organizations/${NOTHING}/apis`), 404, 1234);
    ok(await admin.put(closed.path, { ...closed, description: 'by the Admin' }));
    ok(await alice.delete(open.path), 204);
    fails(await alice.get(open.path), 404, 1303);
  },
  'lists have the APIs that the caller may see, with filters and q': async ({ alice, bob, admin }) => {
    const organization = await alice.organization();
    const apis = `${organization.path}/apis`;
    const word = fresh();
    const shown = { isPublic: true, description: `x ${word}`, lifecycleStatus: 'production' };
    const open = await alice.api(organization, shown);
    const closed = await alice.api(organization, { url: `https://example.com/${word}` });
    const other = await alice.api(await alice.organization(), { name: `${word} Z`, isPublic: true });
    const { _id } = organization;
    for (const [caller, path, expected, promise] of [
      [alice, apis, [open, closed], 'a Manager sees both'],
      [bob, apis, [open], 'others see the public one'],
      [admin, `/apis?q=${word.toUpperCase()}`, [open, closed, other], 'q: name, url, description'],
      [bob, `/apis?q=${word}`, [open, other], 'q finds only what the caller may see'],
      [alice, `/apis?q=${word}&organizationId=${_id}&lifecycleStatus=design`, [closed], 'filters'],
      [bob, `/apis?organizationId=${_id}`, [open], 'filters find only what the caller may see'],
      [bob, `/apis?slug=${closed.slug}`, [], 'so does slug'],
      [alice, `/apis?slug=${closed.slug}`, [closed], 'slug'],
      [bob, `/apis?organizationId=${NOTHING}`, [], 'the id of no record'],
      [alice, `/apis?q=${word}&after=${open._id}&limit=1`, [closed], 'after'],
    ]) {
      const expectedIds = expected.map((api) => api._id);
      same(ids(await caller.get(path)), expectedIds, promise);
    }
    const counted = await bob.get(`${apis}?limit=1`, { prefer: 'count=exact' });
    same(counted.headers['x-total-count'], '1', 'the count reveals no others');
    for (const query of ['organizationId=x', 'lifecycleStatus=dead', 'zzz=true'])
      fails(await alice.get(`/apis?${query}`), 400, 1002);
  },
  'DELETE of an Organization deletes its APIs': async ({ alice }) => {
    const organization = await alice.organization();
    const api = await alice.api(organization, PUBLIC);
    ok(await alice.delete(organization.path), 204);
    fails(await alice.get(api.path), 404, 1303);
    same(ids(await alice.get(`/apis?slug=${api.slug}`)), [], 'its slug is free');
  },
  'featuredApiIds: public APIs of this Organization, in the order sent; otherwise 5012': async ({ alice }) => {
    const organization = await alice.organization();
    const put = (featuredApiIds) => alice.put(organization.path, { ...organization, featuredApiIds });
    const [one, two] = [await alice.api(organization, PUBLIC), await alice.api(organization, PUBLIC)];
    const closed = await alice.api(organization);
    const foreign = await alice.api(await alice.organization(), PUBLIC);
    same(ok(await put([two._id, one._id])).body.data.featuredApiIds, [two._id, one._id], 'as sent');
    for (const wrong of [closed, foreign, organization])
      invalid(await put([one._id, wrong._id]), '5012 featuredApiIds.1');
    invalid(await put([one._id, one._id]), '5011 featuredApiIds.1');
    same(ok(await alice.get(organization.path)).body.featuredApiIds, [two._id, one._id], 'nothing changed');
  },
  'an API that is deleted or becomes private leaves featuredApiIds, which is a change': async ({ alice }) => {
    const organization = await alice.organization();
    const [one, two] = [await alice.api(organization, PUBLIC), await alice.api(organization, PUBLIC)];
    const full = ok(await alice.put(organization.path, { ...organization, featuredApiIds: [one._id, two._id] }));
    await tick();
    ok(await alice.put(one.path, { ...one, isPublic: false }));
    const less = ok(await alice.get(organization.path));
    same(less.body.featuredApiIds, [two._id], 'the private one left');
    differs(less.headers.etag, full.headers.etag, 'revision');
    holds(less.body.updatedAt > full.body.data.updatedAt, 'updatedAt');
    ok(await alice.delete(two.path), 204);
    const none = ok(await alice.get(organization.path));
    same(none.body.featuredApiIds, [], 'the deleted one left');
    differs(none.headers.etag, less.headers.etag, 'revision');
  },
};

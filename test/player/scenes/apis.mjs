import { created, differs, fails, faulty, holds, ids, ok, same, tick } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

const STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'];
const setting = async (world, fields) => {
  const [alice, bob] = [await world.person('alice'), await world.person('bob')];
  const organization = await world.organization(alice, fields);
  return { alice, bob, organization, apis: `${organization.path}/apis` };
};

/** @type {import('../play.mjs').Scene[]} Apis: contract §3, §4 */
export const scenes = [
  [
    'POST /organizations/:id/apis: what is left out has its default',
    async (world) => {
      const { alice, organization, apis } = await setting(world);
      const name = world.word();
      const answer = await alice.post(apis, { name, url: 'https://example.com/api' });
      const { _id, createdAt, ...rest } = created(answer);
      const defaults = { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null };
      const slugs = { slug: name, friendlySlugs: { slug: { base: name, index: 0 } } };
      const owner = { organizationId: organization._id, createdBy: alice.id, updatedAt: createdAt };
      same(rest, { name, url: 'https://example.com/api', ...defaults, ...slugs, ...owner }, 'the record');
      same(answer.headers.location, `${world.client.basePath}/apis/${_id}`, 'Location');
      const read = ok(await alice.get(`/apis/${_id}`));
      same([read.body, read.headers.etag], [answer.body.data, answer.headers.etag], 'stored, with the same tag');
    },
  ],
  [
    'faults in the model’s order; bounds and values of each field',
    async (world) => {
      const { alice, apis } = await setting(world);
      const post = (fields) => alice.post(apis, world.organizationFields(fields));
      const all = {
        zzz: 1,
        documentationUrl: 'x',
        isPublic: 'true',
        lifecycleStatus: 'dead',
        description: 5,
        url: '',
        name: 5,
      };
      faulty(await alice.post(apis, all), [
        [5002, 'name'],
        [5622, 'url'],
        [5002, 'description'],
        [5008, 'lifecycleStatus'],
        [5002, 'isPublic'],
        [5007, 'documentationUrl'],
        [5003, 'zzz'],
      ]);
      faulty(await alice.post(apis, {}), [
        [5001, 'name'],
        [5001, 'url'],
      ]);
      for (const [fields, code] of [
        [{ name: 'x'.repeat(256) }, 5006],
        [{ description: 'x'.repeat(1001) }, 5006],
        [{ lifecycleStatus: 'Design' }, 5008],
        [{ lifecycleStatus: 5 }, 5002],
        [{ isPublic: 1 }, 5002],
        [{ documentationUrl: 5 }, 5002],
        [{ documentationUrl: `https://example.com/${'x'.repeat(2029)}` }, 5006],
        [{ name: 'a\u200bb' }, 5432],
      ])
        faulty(await post(fields), [[code, Object.keys(fields)[0]]]);
      for (const lifecycleStatus of STATUSES)
        same(created(await post({ lifecycleStatus })).lifecycleStatus, lifecycleStatus, 'stored');
      const nulls = created(
        await post({ lifecycleStatus: null, isPublic: null, documentationUrl: null, description: null }),
      );
      same(
        [nulls.lifecycleStatus, nulls.isPublic, nulls.documentationUrl, nulls.description],
        ['design', false, null, ''],
        'null is left out',
      );
    },
  ],
  [
    'PUT replaces, ignores read-only fields, and what GET gave changes nothing',
    async (world) => {
      const { alice, organization } = await setting(world);
      const made = await world.api(alice, organization, {
        isPublic: true,
        lifecycleStatus: 'testing',
        documentationUrl: 'https://example.com',
      });
      const again = ok(await alice.put(made.path, { ...made, organizationId: NOBODY }));
      same([again.body.data, again.headers.etag], [made, made.etag], 'nothing changed');
      await tick();
      const answer = ok(await alice.put(made.path, { name: made.name, url: made.url }));
      const { updatedAt, ...rest } = answer.body.data;
      const { updatedAt: before, ...expected } = {
        ...made,
        isPublic: false,
        lifecycleStatus: 'design',
        documentationUrl: null,
      };
      same(rest, expected, 'replaced');
      holds(updatedAt > before, 'updatedAt');
      fails(await alice.put(made.path, made, { 'if-match': made.etag }), 412, 1600);
      fails(await alice.delete(made.path, { 'if-match': made.etag }), 412, 1600);
      ok(await alice.get(made.path, { 'if-none-match': answer.headers.etag }), 304);
    },
  ],
  [
    'names are unique in their Organization without regard to case (1505), slugs over all Apis',
    async (world) => {
      const { alice, organization, apis } = await setting(world);
      const name = world.word();
      await world.api(alice, organization, { name });
      fails(await alice.post(apis, world.organizationFields({ name: name.toUpperCase() })), 409, 1505);
      const other = await world.api(alice, organization);
      fails(await alice.put(other.path, { ...other, name }), 409, 1505);
      const elsewhere = await world.api(alice, await world.organization(alice), { name });
      same([elsewhere.slug, elsewhere.friendlySlugs.slug.index], [`${name}-1`, 1], 'the next slug');
      await world.organization(alice, { name });
      const bases = await world.api(alice, organization, { name: '!!' });
      same(bases.friendlySlugs.slug.base, 'api', 'an empty base becomes api');
    },
  ],
  [
    'who may: public ones any account, private ones managers and Admins; 404 (1303) before 403',
    async (world) => {
      const { alice, bob, organization, apis } = await setting(world);
      const open = await world.api(alice, organization, { isPublic: true });
      const closed = await world.api(alice, organization);
      ok(await bob.get(open.path));
      fails(await bob.get(closed.path), 403, 1200);
      ok(await world.admin.get(closed.path));
      for (const method of ['PUT', 'DELETE']) {
        fails(await bob.ask(method, open.path), 403, 1200);
        fails(await world.anyone.ask(method, open.path), 401, 1100);
      }
      for (const method of ['GET', 'PUT', 'DELETE']) fails(await bob.ask(method, `/apis/${NOBODY}`), 404, 1303);
      fails(await bob.post(apis, {}), 403, 1200);
      fails(await bob.post(`/organizations/${NOBODY}/apis`, {}), 404, 1234);
      fails(await bob.get(`/organizations/${NOBODY}/apis`), 404, 1234);
      ok(await world.admin.put(closed.path, { ...closed, description: 'by the Admin' }));
      ok(await alice.delete(open.path), 204);
      fails(await alice.get(open.path), 404, 1303);
    },
  ],
  [
    'lists show those that the caller may see; filters organizationId, lifecycleStatus, slug; q',
    async (world) => {
      const { alice, bob, organization, apis } = await setting(world);
      const word = world.word();
      const open = await world.api(alice, organization, {
        isPublic: true,
        description: `x ${word}`,
        lifecycleStatus: 'production',
      });
      const closed = await world.api(alice, organization, { url: `https://example.com/${word}` });
      const other = await world.api(alice, await world.organization(alice), { name: `${word} Z`, isPublic: true });
      const seen = async (caller, path) => ids(await caller.get(path));
      same(await seen(alice, apis), [open._id, closed._id], 'a manager sees both');
      same(await seen(bob, apis), [open._id], 'others the public ones');
      same(
        await seen(world.admin, `/apis?q=${word.toUpperCase()}`),
        [open._id, closed._id, other._id],
        'name, url, description',
      );
      same(await seen(bob, `/apis?q=${word}`), [open._id, other._id], 'others the public ones');
      same(
        await seen(alice, `/apis?q=${word}&organizationId=${organization._id}&lifecycleStatus=design`),
        [closed._id],
        'filters',
      );
      same(await seen(bob, `/apis?organizationId=${organization._id}`), [open._id], 'a filter opens nothing');
      same(await seen(bob, `/apis?slug=${closed.slug}`), [], 'nor does a slug');
      same(await seen(alice, `/apis?slug=${closed.slug}`), [closed._id], 'slug');
      same(await seen(bob, `/apis?organizationId=${NOBODY}`), [], 'an id of nothing');
      same(await seen(alice, `/apis?q=${word}&after=${open._id}&limit=1`), [closed._id], 'after');
      const counted = await bob.get(`${apis}?limit=1`, { prefer: 'count=exact' });
      same(counted.headers['x-total-count'], '1', 'the count tells of no others');
      for (const query of ['organizationId=x', 'lifecycleStatus=dead', 'isPublic=true'])
        fails(await alice.get(`/apis?${query}`), 400, 1002);
    },
  ],
  [
    'DELETE of an Organization takes its Apis with it',
    async (world) => {
      const { alice, organization } = await setting(world);
      const api = await world.api(alice, organization, { isPublic: true });
      ok(await alice.delete(organization.path), 204);
      fails(await alice.get(api.path), 404, 1303);
      same(ids(await alice.get(`/apis?slug=${api.slug}`)), [], 'its slug is free');
    },
  ],
  [
    'featuredApiIds: public Apis of this Organization, in the order given; else 5012',
    async (world) => {
      const { alice, organization } = await setting(world);
      const put = (featuredApiIds) => alice.put(organization.path, { ...organization, featuredApiIds });
      const [one, two] = [
        await world.api(alice, organization, { isPublic: true }),
        await world.api(alice, organization, { isPublic: true }),
      ];
      const closed = await world.api(alice, organization);
      const foreign = await world.api(alice, await world.organization(alice), { isPublic: true });
      same(ok(await put([two._id, one._id])).body.data.featuredApiIds, [two._id, one._id], 'as given');
      for (const wrong of [closed, foreign, organization])
        faulty(await put([one._id, wrong._id]), [[5012, 'featuredApiIds.1']]);
      faulty(await put([one._id, one._id]), [[5011, 'featuredApiIds.1']]);
      same(ok(await alice.get(organization.path)).body.featuredApiIds, [two._id, one._id], 'nothing changed');
    },
  ],
  [
    'turned private or deleted, an Api leaves featuredApiIds; revision and updatedAt are raised',
    async (world) => {
      const { alice, organization } = await setting(world);
      const [one, two] = [
        await world.api(alice, organization, { isPublic: true }),
        await world.api(alice, organization, { isPublic: true }),
      ];
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
  ],
];

import { created, differs, fails, faulty, holds, ids, ok, same, tick } from '../expect.mjs';
import { NOBODY } from '../world.mjs';

/** @type {import('../play.mjs').Scene[]} Organizations: contract §3, §4 */
export const scenes = [
  [
    'POST /organizations: the creator becomes the first manager; what is left out has its default',
    async (world) => {
      const alice = await world.person('alice');
      const name = world.word();
      const answer = await alice.post('/organizations', { name, url: 'https://example.com' });
      const { _id, createdAt, ...rest } = created(answer);
      const defaults = { description: '', featuredApiIds: [], organizationLogoFileId: null };
      const slugs = { slug: name, friendlySlugs: { slug: { base: name, index: 0 } } };
      const people = { managerIds: [alice.id], createdBy: alice.id };
      same(
        rest,
        { name, url: 'https://example.com', ...defaults, ...slugs, ...people, updatedAt: createdAt },
        'the record',
      );
      const read = ok(await alice.get(answer.headers.location));
      same([read.body, read.headers.etag], [answer.body.data, answer.headers.etag], 'stored, with the same tag');
      same(ok(await alice.get(`/organizations?slug=${name}`)).body.data, [answer.body.data], 'the list has it');
    },
  ],
  [
    'faults all at once, in the model’s order, unknown fields last as sent',
    async (world) => {
      const alice = await world.person('alice');
      faulty(await alice.post('/organizations', {}), [
        [5001, 'name'],
        [5001, 'url'],
      ]);
      const body = {
        zeta: 1,
        organizationLogoFileId: 5,
        featuredApiIds: {},
        alpha: 2,
        description: 5,
        url: 'x',
        name: '',
      };
      faulty(await alice.post('/organizations', body), [
        [5622, 'name'],
        [5007, 'url'],
        [5002, 'description'],
        [5002, 'featuredApiIds'],
        [5002, 'organizationLogoFileId'],
        [5003, 'zeta'],
        [5003, 'alpha'],
      ]);
    },
  ],
  [
    'read-only fields are accepted and ignored, in POST and in PUT',
    async (world) => {
      const alice = await world.person('alice');
      const fake = {
        _id: NOBODY,
        slug: 'x',
        friendlySlugs: 5,
        managerIds: [],
        createdBy: NOBODY,
        createdAt: 'x',
        updatedAt: null,
      };
      const made = await world.organization(alice, fake);
      differs(made._id, NOBODY, 'its own id');
      same([made.managerIds, made.createdBy, made.slug], [[alice.id], alice.id, made.name], 'ignored');
      const again = ok(await alice.put(made.path, { ...made, ...fake }));
      same([again.body.data, again.headers.etag], [made, made.etag], 'ignored in PUT');
      faulty(await alice.put(made.path, { ...made, __v: 1, id: made._id }), [
        [5003, '__v'],
        [5003, 'id'],
      ]);
    },
  ],
  [
    'PUT replaces: an optional field left out is cleared; createdAt stays, updatedAt moves',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice, { description: 'words' });
      await tick();
      const answer = ok(await alice.put(made.path, { name: made.name, url: 'https://example.org/' }));
      const { updatedAt, ...rest } = answer.body.data;
      const { updatedAt: before, ...expected } = { ...made, url: 'https://example.org/', description: '' };
      same(rest, expected, 'replaced');
      holds(updatedAt > before, 'updatedAt moved');
      const read = ok(await alice.get(made.path));
      same([read.body, read.headers.etag], [answer.body.data, answer.headers.etag], 'stored');
      faulty(await alice.put(made.path, { description: 'x' }), [
        [5001, 'name'],
        [5001, 'url'],
      ]);
    },
  ],
  [
    'who may: GET any account; PUT and DELETE managers and Admins, others 403; nobody there 404 1234',
    async (world) => {
      const [alice, bob] = [await world.person('alice'), await world.person('bob')];
      const made = await world.organization(alice);
      ok(await bob.get(made.path));
      for (const method of ['PUT', 'DELETE']) {
        fails(await bob.ask(method, made.path), 403, 1200);
        fails(await bob.ask(method, `/organizations/${NOBODY}`), 404, 1234);
        fails(await world.anyone.ask(method, made.path), 401, 1100);
      }
      fails(await bob.get(`/organizations/${NOBODY}`), 404, 1234);
      fails(await world.anyone.get('/organizations'), 401, 1100);
      fails(await world.anyone.post('/organizations', {}), 401, 1100);
      ok(await world.admin.put(made.path, { ...made, description: 'by the Admin' }));
      ok(await world.admin.delete(made.path), 204);
      for (const method of ['GET', 'PUT', 'DELETE']) fails(await alice.ask(method, made.path), 404, 1234);
    },
  ],
  [
    'names are unique without regard to case (fold of NFKC, no default-ignorables): 1501',
    async (world) => {
      const alice = await world.person('alice');
      const word = world.word();
      const made = await world.organization(alice, { name: `${word} Straße ΣΑΣ ﬁn` });
      const equal = [
        `${word} STRASSE σας FIN`,
        `${word.toUpperCase()} strasse ΣΑς fin`,
        `${word} Stra\u200dße ΣΑΣ ｆin`,
      ];
      for (const name of equal)
        fails(await alice.post('/organizations', world.organizationFields({ name })), 409, 1501);
      const other = await world.organization(alice);
      fails(await alice.put(other.path, { ...other, name: equal[0] }), 409, 1501);
      same(ok(await alice.get(other.path)).body, other, 'nothing changed');
      same(
        ok(await alice.put(made.path, { ...made, name: equal[1] })).body.data.name,
        equal[1],
        'its own name is no conflict',
      );
      ok(await alice.delete(made.path), 204);
      await world.organization(alice, { name: equal[0] });
    },
  ],
  [
    'of many who take one name at once, one wins and the others get 1501',
    async (world) => {
      const alice = await world.person('alice');
      const fields = world.organizationFields();
      const answers = await Promise.all(Array.from({ length: 8 }, () => alice.post('/organizations', fields)));
      same(answers.filter((answer) => answer.status === 201).length, 1, 'one winner');
      for (const answer of answers.filter(({ status }) => status !== 201)) fails(answer, 409, 1501);
      same(ok(await alice.get(`/organizations?q=${fields.name}`)).body.data.length, 1, 'one record');
    },
  ],
  [
    'featuredApiIds and the logo: at most 4, distinct, and they must name something',
    async (world) => {
      const alice = await world.person('alice');
      const made = await world.organization(alice);
      const [a, b] = ['a'.repeat(24), 'b'.repeat(24)];
      const put = (fields) => alice.put(made.path, { ...made, ...fields });
      faulty(await put({ featuredApiIds: 'x' }), [[5002, 'featuredApiIds']]);
      faulty(await put({ featuredApiIds: [a, 5] }), [[5002, 'featuredApiIds.1']]);
      faulty(await put({ featuredApiIds: [a, b, a] }), [[5011, 'featuredApiIds.2']]);
      faulty(await put({ featuredApiIds: [1, 2, 3, 4, 5].map((digit) => String(digit).repeat(24)) }), [
        [5010, 'featuredApiIds'],
      ]);
      faulty(await put({ featuredApiIds: [a, b] }), [[5012, 'featuredApiIds.0']]);
      faulty(await put({ organizationLogoFileId: NOBODY }), [[5012, 'organizationLogoFileId']]);
      faulty(await put({ organizationLogoFileId: { $ne: null } }), [[5002, 'organizationLogoFileId']]);
      faulty(await put({ featuredApiIds: [a], organizationLogoFileId: NOBODY }), [
        [5012, 'featuredApiIds.0'],
        [5012, 'organizationLogoFileId'],
      ]);
      faulty(await put({ name: '', featuredApiIds: [a] }), [[5622, 'name']]);
      faulty(await alice.post('/organizations', world.organizationFields({ featuredApiIds: [a] })), [
        [5012, 'featuredApiIds.0'],
      ]);
      ok(await put({ featuredApiIds: null, organizationLogoFileId: null }));
      same(ok(await alice.get(made.path)).headers.etag, made.etag, 'nothing changed');
    },
  ],
  [
    'a reference that has not the form of an id is a bad format (5007)',
    async (world) => {
      const alice = await world.person('alice');
      const post = (fields) => alice.post('/organizations', world.organizationFields(fields));
      faulty(await post({ featuredApiIds: ['x'] }), [[5007, 'featuredApiIds.0']]);
      faulty(await post({ organizationLogoFileId: 'A'.repeat(24) }), [[5007, 'organizationLogoFileId']]);
    },
  ],
  [
    'filters: slug (exact), managerId; no id 1002, an id of nothing an empty list',
    async (world) => {
      const me = await world.newcomer();
      const [one, two] = [await world.organization(me), await world.organization(me)];
      same(ids(await me.get(`/organizations?managerId=${me.id}`)), [one._id, two._id], 'by manager');
      same(ids(await me.get(`/organizations?managerId=${me.id}&slug=${two.slug}`)), [two._id], 'both filters');
      same(ids(await me.get(`/organizations?slug=${one.slug.slice(0, -1)}`)), [], 'exact');
      same(ids(await me.get(`/organizations?slug=${one.slug.toUpperCase()}`)), [], 'exact in case');
      same(ids(await me.get(`/organizations?managerId=${NOBODY}`)), [], 'nobody');
      fails(await me.get('/organizations?managerId=me'), 400, 1002);
      fails(await me.get(`/organizations?managerId=${me.id.toUpperCase().replace(/\d/g, 'A')}`), 400, 1002);
    },
  ],
];

import { NOTHING, fresh, namedFields } from '../caller.mjs';
import { created, differs, fails, has, holds, ids, invalid, ok, oneWins, same, sameVersion, tick } from '../expect.mjs';

/** @type {import('../play.mjs').Scenes} Organizations: contract §3, §4 */
export const scenes = {
  'POST /organizations: its creator is the first Manager; defaults for what is left out': async ({ alice }) => {
    const name = fresh();
    const response = await alice.post('/organizations', { name, url: 'https://example.com' });
    const record = created(response);
    has(record, { name, url: 'https://example.com', managerIds: [alice.id], createdBy: alice.id });
    has(record, { description: '', featuredApiIds: [], organizationLogoFileId: null }, 'defaults');
    has(record, { slug: name, friendlySlugs: { slug: { base: name, index: 0 } }, updatedAt: record.createdAt });
    sameVersion(await alice.get(response.headers.location), response, 'stored, with the same ETag');
    same(ok(await alice.get(`/organizations?slug=${name}`)).body.data, [response.body.data], 'the list has it');
  },
  'all field errors at once, in the order of the fields; unknown fields last, as sent': async ({ alice }) => {
    invalid(await alice.post('/organizations', {}), '5001 name', '5001 url');
    const links = { organizationLogoFileId: 5, featuredApiIds: {} };
    invalid(
      await alice.post('/organizations', { zeta: 1, ...links, alpha: 2, description: 5, url: 'x', name: '' }),
      '5622 name',
      '5007 url',
      '5002 description',
      '5002 featuredApiIds',
      '5002 organizationLogoFileId',
      '5003 zeta',
      '5003 alpha',
    );
  },
  'read-only fields are accepted and ignored, in POST and in PUT': async ({ alice }) => {
    const people = { managerIds: [], createdBy: NOTHING };
    const fake = { _id: NOTHING, slug: 'x', friendlySlugs: 5, ...people, createdAt: 'x', updatedAt: null };
    const made = await alice.organization(fake);
    differs(made._id, NOTHING, 'its own id');
    has(made, { managerIds: [alice.id], createdBy: alice.id, slug: made.name }, 'ignored');
    sameVersion(await alice.put(made.path, { ...made, ...fake }), made, 'ignored in PUT');
    invalid(await alice.put(made.path, { ...made, __v: 1, id: made._id }), '5003 __v', '5003 id');
  },
  'PUT replaces: an optional field that is left out is cleared; only updatedAt changes': async ({ alice }) => {
    const made = await alice.organization({ description: 'words' });
    await tick();
    const response = ok(await alice.put(made.path, { name: made.name, url: 'https://example.org/' }));
    const { updatedAt, ...rest } = response.body.data;
    const { updatedAt: before, ...expected } = { ...made, url: 'https://example.org/', description: '' };
    same(rest, expected, 'replaced');
    holds(updatedAt > before, 'updatedAt moved');
    sameVersion(await alice.get(made.path), response, 'stored');
    invalid(await alice.put(made.path, { description: 'x' }), '5001 name', '5001 url');
  },
  'PUT and DELETE are for Managers and Admins; 404 before 403': async ({ alice, bob, admin, anyone }) => {
    const made = await alice.organization();
    ok(await bob.get(made.path));
    for (const method of ['PUT', 'DELETE']) {
      fails(await bob.send(method, made.path), 403, 1200);
      fails(await bob.send(method, `/organizations/${NOTHING}`), 404, 1234);
      fails(await anyone.send(method, made.path), 401, 1100);
    }
    fails(await bob.get(`/organizations/${NOTHING}`), 404, 1234);
    fails(await anyone.get('/organizations'), 401, 1100);
    fails(await anyone.post('/organizations', {}), 401, 1100);
    ok(await admin.put(made.path, { ...made, description: 'by the Admin' }));
    ok(await admin.delete(made.path), 204);
    for (const method of ['GET', 'PUT', 'DELETE']) fails(await alice.send(method, made.path), 404, 1234);
  },
  'names are unique (1501) without regard to case, NFKC and default-ignorables': async ({ alice }) => {
    const word = fresh();
    const made = await alice.organization({ name: `${word} Straße ΣΑΣ ﬁn` });
    const equal = [`${word} STRASSE σας FIN`, `${word.toUpperCase()} strasse ΣΑς fin`, `${word} Stra\u200dße ΣΑΣ ｆin`];
    for (const name of equal) fails(await alice.post('/organizations', namedFields({ name })), 409, 1501);
    const other = await alice.organization();
    fails(await alice.put(other.path, { ...other, name: equal[0] }), 409, 1501);
    same(ok(await alice.get(other.path)).body, other, 'nothing changed');
    const renamed = ok(await alice.put(made.path, { ...made, name: equal[1] })).body.data;
    same(renamed.name, equal[1], 'its own name is no conflict');
    ok(await alice.delete(made.path), 204);
    await alice.organization({ name: equal[0] });
  },
  'of several POSTs of one name at once, one wins and the others get 1501': async ({ alice }) => {
    const fields = namedFields();
    const responses = await Promise.all(Array.from({ length: 8 }, () => alice.post('/organizations', fields)));
    oneWins(responses, 201, 409, 1501);
    same(ok(await alice.get(`/organizations?q=${fields.name}`)).body.data.length, 1, 'one record');
  },
  'featuredApiIds are at most 4 different ids, and they and the logo must exist': async ({ alice }) => {
    const made = await alice.organization();
    const [a, b] = ['a'.repeat(24), 'b'.repeat(24)];
    const put = (fields) => alice.put(made.path, { ...made, ...fields });
    const five = [1, 2, 3, 4, 5].map((digit) => String(digit).repeat(24));
    for (const [fields, ...errors] of [
      [{ featuredApiIds: 'x' }, '5002 featuredApiIds'],
      [{ featuredApiIds: [a, 5] }, '5002 featuredApiIds.1'],
      [{ featuredApiIds: ['x'] }, '5007 featuredApiIds.0'],
      [{ featuredApiIds: [a, b, a] }, '5011 featuredApiIds.2'],
      [{ featuredApiIds: five }, '5010 featuredApiIds'],
      [{ featuredApiIds: [a, b] }, '5012 featuredApiIds.0'],
      [{ organizationLogoFileId: 'A'.repeat(24) }, '5007 organizationLogoFileId'],
      [{ organizationLogoFileId: NOTHING }, '5012 organizationLogoFileId'],
      [{ organizationLogoFileId: { $ne: null } }, '5002 organizationLogoFileId'],
      [
        { featuredApiIds: [a], organizationLogoFileId: NOTHING },
        '5012 featuredApiIds.0',
        '5012 organizationLogoFileId',
      ],
      [{ name: '', featuredApiIds: [a] }, '5622 name'],
    ])
      invalid(await put(fields), ...errors);
    const post = await alice.post('/organizations', namedFields({ featuredApiIds: [a] }));
    invalid(post, '5012 featuredApiIds.0');
    ok(await put({ featuredApiIds: null, organizationLogoFileId: null }));
    sameVersion(await alice.get(made.path), made);
  },
  'filters: slug (exact) and managerId; no id is 1002, the id of no record an empty list': async ({ newcomer }) => {
    const me = await newcomer();
    const [one, two] = [await me.organization(), await me.organization()];
    same(ids(await me.get(`/organizations?managerId=${me.id}`)), [one._id, two._id], 'by manager');
    same(ids(await me.get(`/organizations?managerId=${me.id}&slug=${two.slug}`)), [two._id], 'both filters');
    same(ids(await me.get(`/organizations?slug=${one.slug.slice(0, -1)}`)), [], 'exact');
    same(ids(await me.get(`/organizations?slug=${one.slug.toUpperCase()}`)), [], 'exact in case');
    same(ids(await me.get(`/organizations?managerId=${NOTHING}`)), [], 'the id of no record');
    fails(await me.get('/organizations?managerId=me'), 400, 1002);
    fails(await me.get(`/organizations?managerId=${me.id.toUpperCase().replace(/\d/g, 'A')}`), 400, 1002);
  },
};

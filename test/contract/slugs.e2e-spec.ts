import type { Client } from '../support/client';
import { expectError } from '../support/expect-error';
import { createOrganization, idsOf, organizationBody } from '../support/records';
import { useService } from '../support/service';

/** What is written: its new name, and the slug that it gets; or that it is deleted. */
type Step = readonly [record: string, name: string, base: string, index?: number] | readonly [deleted: string];

/** The golden tables of contract §10.5: each begins with an empty collection. `@` is its fallback. */
const slugTables: Readonly<Record<string, readonly Step[]>> = {
  'a name is transliterated and cut': [
    ['a', 'ünï', 'uni'],
    ['f', 'x'.repeat(100), 'x'.repeat(80)],
    ['g', `${'x'.repeat(100)}!`, 'x'.repeat(80), 1],
  ],
  'a name that leaves nothing has the fallback': [
    ['a', '!!', '@'],
    ['b', '?', '@', 1],
    ['c', '@', '@', 2],
  ],
  'the next index is the highest + 1, and skips slugs in use': [
    ['a', 'foo', 'foo'],
    ['b', 'foo 1', 'foo-1'],
    ['c', 'foo!', 'foo', 2],
    ['d', 'foo 1!', 'foo-1', 1],
    ['e', 'foo?', 'foo', 3],
  ],
  'an index that became free below the highest stays so': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['c', 'foo?', 'foo', 2],
    ['b'],
    ['d', 'foo.', 'foo', 3],
    ['d'],
    ['e', 'foo,', 'foo', 3],
    ['a'],
    ['f', 'foo:', 'foo', 4],
  ],
  'a new name with the same base keeps the slug': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['b', 'FOO?', 'foo', 1],
    ['a', 'Foo ', 'foo'],
  ],
  'an old slug is given to nobody else, and taken back': [
    ['a', 'foo', 'foo'],
    ['a', 'bar', 'bar'],
    ['b', 'foo', 'foo', 1],
    ['c', 'bar!', 'bar', 1],
    ['b', 'baz', 'baz'],
    ['a', 'foo', 'foo'],
    ['b', 'foo?', 'foo', 1],
  ],
  'an own old slug with another base is skipped, too': [
    ['a', 'foo', 'foo'],
    ['b', 'foo!', 'foo', 1],
    ['b', 'bar', 'bar'],
    ['b', 'foo 1', 'foo-1', 1],
  ],
  'a deletion frees all slugs': [
    ['a', 'foo', 'foo'],
    ['a', 'bar', 'bar'],
    ['a'],
    ['b', 'foo', 'foo'],
    ['c', 'bar', 'bar'],
  ],
};

const service = useService();
let admin: Client;
let organizationId: string;
beforeAll(() => void (admin = service.admin));

const resources = [
  { resource: 'organizations', fallback: 'organization', collection: () => '/organizations' },
  { resource: 'apis', fallback: 'api', collection: () => `/organizations/${organizationId}/apis` },
];

describe.each(resources)('the slugs of $resource', ({ resource, fallback, collection }) => {
  const ids = new Map<string, string>();
  beforeEach(async () => {
    ids.clear();
    await service.model('Organization').deleteMany({});
    await service.model('Api').deleteMany({});
    organizationId = (await createOrganization(admin, { name: 'Holder of Apis' }))._id;
  });

  async function write(record: string, name: string): Promise<object> {
    const known = ids.get(record);
    const body = organizationBody({ name });
    const response = await (known ? admin.put(`/${resource}/${known}`, body) : admin.post(collection(), body));
    expect(response.body.status).toBe('success');
    ids.set(record, response.body.data._id as string);
    return response.body.data as object;
  }

  it.each(Object.entries(slugTables))('%s', async (_about, steps) => {
    const had = new Map<string, Set<string>>();
    for (const [record, name, base = '', index = 0] of steps) {
      if (name === undefined) {
        expect(await admin.delete(`/${resource}/${ids.get(record)}`)).toMatchObject({ status: 204 });
        for (const old of had.get(record) ?? []) expect(await find(old)).toEqual([]);
        had.delete(record);
        continue;
      }
      const ownBase = base.replace('@', fallback);
      const slug = index === 0 ? ownBase : `${ownBase}-${index}`;
      const shown = { slug, friendlySlugs: { slug: { base: ownBase, index } } };
      expect(await write(record, name.replace('@', fallback))).toMatchObject(shown);
      had.set(record, new Set(had.get(record)).add(slug));
      for (const [other, slugs] of had) for (const old of slugs) expect(await find(old)).toEqual([ids.get(other)]);
    }
  });

  it('keeps the 50 old slugs that it had last, and frees the others', async () => {
    const name = (number: number): string => `name ${'x'.repeat(number)}`;
    for (let number = 1; number <= 51; number += 1) await write('a', name(number));
    await write('a', name(1));
    await write('a', 'other');
    expect(await find('name-x')).toEqual([ids.get('a')]);
    expect(await find('name-xx')).toEqual([]);
    expect(await find('name-xxx')).toEqual([ids.get('a')]);
    expect(await write('b', name(2))).toMatchObject({ slug: 'name-xx' });
    expect(await write('c', name(3))).toMatchObject({ slug: 'name-xxx-1' });
  });

  it('is exact in ?slug=', async () => {
    await write('a', 'foo');
    expect(await find('fo')).toEqual([]);
    for (const slug of ['FOO', '.*'])
      expectError(await admin.get(`/${resource}?slug=${encodeURIComponent(slug)}`), 'invalidQuery', expect.any(String));
  });

  const find = async (slug: string): Promise<string[]> =>
    idsOf(await admin.get(`/${resource}?slug=${encodeURIComponent(slug)}`));
});

it('an Organization and an API may have the same slug', async () => {
  await service.model('Organization').deleteMany({});
  await service.model('Api').deleteMany({});
  const { _id, slug } = await createOrganization(admin, { name: 'foo' });
  const api = await admin.post(`/organizations/${_id}/apis`, organizationBody({ name: 'foo' }));
  expect([slug, api.body.data.slug]).toEqual(['foo', 'foo']);
});

import type { Client } from '../support/client';
import { createOrganization, idsOf, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';

type Slugs = { slug: string; friendlySlugs: { slug: { base: string; index: number } } };

/** A record that is created, renamed or deleted, and its slug then. */
interface Step {
  readonly record: string;
  /** None deletes it. */
  readonly name?: string;
  readonly slug?: string;
  readonly base?: string;
  readonly index?: number;
}

const step = (record: string, name: string, slug: string, base = slug, index = 0): Step => ({
  record,
  name,
  slug,
  base,
  index,
});
const long = 'abcdefghi '.repeat(9);

/** The golden tables of contract §3, Slugs: each begins with none. */
const tables: readonly (readonly [about: string, fallback: readonly Step[]])[] = [
  [
    'a name is transliterated and cut',
    [
      step('a', 'ünï', 'uni'),
      step('b', "O'Reilly & Sons", 'o-reilly-sons'),
      step('c', '特殊天', 'te-shu-tian'),
      step('d', '  --Nets, & Co.--  ', 'nets-co'),
      step('e', long, 'abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi'),
      step('f', 'x'.repeat(100), 'x'.repeat(80)),
      step('h', `${'a'.repeat(79)}-b`, 'a'.repeat(79)),
      step('g', `${'x'.repeat(100)}!`, `${'x'.repeat(80)}-1`, 'x'.repeat(80), 1),
    ],
  ],
  [
    'a name that leaves nothing has the fallback',
    [
      step('a', '!!', 'FALLBACK'),
      step('b', '?', 'FALLBACK-1', 'FALLBACK', 1),
      step('c', 'FALLBACK', 'FALLBACK-2', 'FALLBACK', 2),
    ],
  ],
  [
    'the next index is the highest + 1, and skips slugs in use',
    [
      step('a', 'foo', 'foo'),
      step('b', 'foo 1', 'foo-1'),
      step('c', 'foo!', 'foo-2', 'foo', 2),
      step('d', 'foo 1!', 'foo-1-1', 'foo-1', 1),
      step('e', 'foo?', 'foo-3', 'foo', 3),
    ],
  ],
  [
    'an index that became free below the highest stays so',
    [
      step('a', 'foo', 'foo'),
      step('b', 'foo!', 'foo-1', 'foo', 1),
      step('c', 'foo?', 'foo-2', 'foo', 2),
      { record: 'b' },
      step('d', 'foo.', 'foo-3', 'foo', 3),
      { record: 'd' },
      step('e', 'foo,', 'foo-3', 'foo', 3),
    ],
  ],
  [
    'a new name with the same base keeps the slug',
    [
      step('a', 'foo', 'foo'),
      step('b', 'foo!', 'foo-1', 'foo', 1),
      step('b', 'FOO?', 'foo-1', 'foo', 1),
      step('a', 'Foo ', 'foo'),
    ],
  ],
  [
    'an old slug is given to nobody else, and taken back',
    [
      step('a', 'foo', 'foo'),
      step('a', 'bar', 'bar'),
      step('b', 'foo', 'foo-1', 'foo', 1),
      step('c', 'bar!', 'bar-1', 'bar', 1),
      step('b', 'baz', 'baz'),
      step('a', 'foo', 'foo'),
      step('b', 'foo?', 'foo-1', 'foo', 1),
    ],
  ],
  [
    'a deletion frees all slugs',
    [
      step('a', 'foo', 'foo'),
      step('a', 'bar', 'bar'),
      { record: 'a' },
      step('b', 'foo', 'foo'),
      step('c', 'bar', 'bar'),
    ],
  ],
];

let service: Service;
let admin: Client;
let organizationId: string;
beforeAll(async () => {
  service = await startService();
  admin = service.admin;
});
afterAll(() => service.stop());

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

  async function write(record: string, name: string): Promise<Slugs> {
    const known = ids.get(record);
    const body = organizationBody({ name });
    const answer = await (known ? admin.put(`/${resource}/${known}`, body) : admin.post(collection(), body));
    expect(answer.body.status).toBe('success');
    ids.set(record, answer.body.data._id as string);
    return answer.body.data as Slugs;
  }

  const filled = (text = ''): string => text.replace('FALLBACK', fallback);

  it.each(tables)('%s', async (_about, steps) => {
    const had = new Map<string, Set<string>>();
    for (const { record, name, slug, base, index } of steps) {
      if (name === undefined) {
        expect(await admin.delete(`/${resource}/${ids.get(record)}`)).toMatchObject({ status: 204 });
        for (const old of had.get(record) ?? []) expect(await find(old)).toEqual([]);
        had.delete(record);
        continue;
      }
      expect(await write(record, filled(name))).toMatchObject({
        slug: filled(slug),
        friendlySlugs: { slug: { base: filled(base), index } },
      });
      had.set(record, new Set(had.get(record)).add(filled(slug)));
      for (const [other, slugs] of had) for (const old of slugs) expect(await find(old)).toEqual([ids.get(other)]);
    }
  });

  it('is exact in ?slug=', async () => {
    await write('a', 'foo');
    for (const slug of ['FOO', 'fo', 'foo ', '.*']) expect(await find(slug)).toEqual([]);
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

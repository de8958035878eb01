import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { Client } from '../support/client';
import { createOrganization, idsOf } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
  account = await service.account();
});
afterAll(() => service.stop());

const create = (name: string): Promise<OrganizationDto> => createOrganization(account, { name });
const rename = async ({ _id, url }: OrganizationDto, name: string): Promise<OrganizationDto> =>
  (await account.put(`/organizations/${_id}`, { name, url })).body.data as OrganizationDto;
const remove = ({ _id }: OrganizationDto): Promise<unknown> => account.delete(`/organizations/${_id}`);
const bySlug = async (slug: string): Promise<string[]> => idsOf(await account.get(`/organizations?slug=${slug}`));
const shown = ({ slug, friendlySlugs }: OrganizationDto): unknown[] => [
  slug,
  friendlySlugs.slug.base,
  friendlySlugs.slug.index,
];

describe('the slug of a new Organization', () => {
  it.each([
    ['ünï', 'uni'],
    ["O'Reilly & Sons", 'o-reilly-sons'],
    ['特殊天', 'te-shu-tian'],
    ['  --A__b  ', 'a-b'],
    ['!!!', 'organization'],
    ['x'.repeat(81), 'x'.repeat(80)],
    [`${'word '.repeat(15)}abcdefgh`, 'word-'.repeat(15).slice(0, -1)],
    [`${'a'.repeat(79)}-b`, 'a'.repeat(79)],
  ])('of %s is %s', async (name, slug) => {
    const record = await create(name);
    expect(shown(record)).toEqual([slug, slug, 0]);
    const stored = await service.model<Organization>('Organization').findById(record._id).lean();
    expect(stored).toMatchObject({ slug: { text: slug, base: slug, index: 0 }, slugs: [{ text: slug }] });
    expect(await bySlug(slug)).toEqual([record._id]);
  });

  it('takes the highest current index of its base + 1, skipping slugs in use', async () => {
    expect(shown(await create('foo'))).toEqual(['foo', 'foo', 0]);
    expect(shown(await create('foo 1'))).toEqual(['foo-1', 'foo-1', 0]);
    expect(shown(await create('foo!'))).toEqual(['foo-2', 'foo', 2]);
    expect(shown(await create('foo?'))).toEqual(['foo-3', 'foo', 3]);
  });

  it('skips old slugs of others, too', async () => {
    const old = await create('old 1');
    await rename(old, 'renamed 1');
    await create('old');
    expect(shown(await create('old!'))).toEqual(['old-2', 'old', 2]);
  });

  it('takes up an index that is free again', async () => {
    const [first, second] = [await create('bar'), await create('bar!')];
    expect(second.slug).toBe('bar-1');
    await remove(second);
    expect((await create('bar?')).slug).toBe('bar-1');
    await remove(first);
    expect((await create('bar')).slug).toBe('bar-2');
  });
});

describe('the slug of a renamed Organization', () => {
  it('stays where the base stays', async () => {
    const record = await create('Same Base');
    expect(shown(await rename(record, 'same, base!'))).toEqual(['same-base', 'same-base', 0]);
  });

  it('is a new one for a new base, and the old one still finds the record', async () => {
    const record = await create('before');
    const renamed = await rename(record, 'after');
    expect(shown(renamed)).toEqual(['after', 'after', 0]);
    expect(await bySlug('before')).toEqual([record._id]);
    expect(await bySlug('after')).toEqual([record._id]);
    const stored = await service.model<Organization>('Organization').findById(record._id).lean();
    expect(stored?.slugs.map(({ text }) => text)).toEqual(['before', 'after']);
  });

  it('is not given to anybody else', async () => {
    const record = await create('mine');
    await rename(record, 'other than mine');
    const other = await create('mine');
    expect(other.slug).not.toBe('mine');
    expect(await bySlug('mine')).toEqual([record._id]);
  });

  it('is the old one again when the record returns to its base', async () => {
    const [taken, record] = [await create('there'), await create('there!')];
    expect(record.slug).toBe('there-1');
    await rename(record, 'elsewhere');
    await remove(taken);
    expect(shown(await rename(record, 'THERE'))).toEqual(['there-1', 'there', 1]);
  });
});

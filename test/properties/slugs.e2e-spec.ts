import fc from 'fast-check';
import { uniqueKey } from '../../src/validation/case-fold';
import { isAllowedText, normalizeText } from '../../src/validation/text';
import type { ApiResponse, Client } from '../support/client';
import { idsOf } from '../support/records';
import { Service, startService } from '../support/service';

/** How many collections of names are tried. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 40);
const SEED = 20260316;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Names that collide in their slugs, and any others. */
const name = fc
  .oneof(
    fc
      .tuple(fc.constantFrom('foo', 'Foo 1', 'foo-1', 'ünï', '特殊天', ''), fc.constantFrom('', '!', '?', ' 1', ' 2'))
      .map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'ß', '-'), minLength: 70, maxLength: 255 }),
  )
  .map((text) => normalizeText(text, 255))
  .filter((text) => text !== '' && isAllowedText(text, 'name') && Array.from(text).length <= 255);

let service: Service;
let admin: Client;
beforeAll(async () => {
  service = await startService();
  admin = service.admin;
});
afterAll(() => service.stop());

const body = (text: string): object => ({ name: text, url: 'https://nets.example' });

/** The slug of an answer, which must have the form of one. */
function slugOf({ body: { data }, status, text }: ApiResponse): string {
  if (status >= 300) throw new Error(text);
  const { slug, friendlySlugs } = data as { slug: string; friendlySlugs: { slug: { base: string; index: number } } };
  const { base, index } = friendlySlugs.slug;
  expect(slug).toBe(index === 0 ? base : `${base}-${index}`);
  expect(slug).toMatch(SLUG);
  expect(base.length).toBeLessThanOrEqual(80);
  return slug;
}

it(`slugs are ASCII and unique, and stay while others come, go and are renamed (${RUNS} collections)`, async () => {
  const names = fc.uniqueArray(name, { minLength: 2, maxLength: 8, selector: uniqueKey });
  const collection = fc.asyncProperty(names, async ([renamed = '', ...others]) => {
    await service.model('Organization').deleteMany({});
    const slugs = new Map<string, string>();
    for (const other of others) {
      const answer = await admin.post('/organizations', body(other));
      slugs.set(answer.body.data._id as string, slugOf(answer));
    }
    const [first = ''] = slugs.keys();
    const old = slugs.get(first) ?? '';
    slugs.set(first, slugOf(await admin.put(`/organizations/${first}`, body(renamed))));
    expect(new Set([...slugs.values(), old]).size).toBe(slugs.size + (slugs.get(first) === old ? 0 : 1));
    for (const [id, slug] of slugs) expect(idsOf(await admin.get(`/organizations?slug=${slug}`))).toEqual([id]);
    expect(idsOf(await admin.get(`/organizations?slug=${old}`))).toEqual([first]);
    for (const [id, slug] of [...slugs].slice(1)) {
      const { body: record } = await admin.get(`/organizations/${id}`);
      expect(record.slug).toBe(slug);
    }
    expect(slugOf(await admin.put(`/organizations/${first}`, body(others[0] ?? '')))).toBe(old);
  });
  await fc.assert(collection, { numRuns: RUNS, seed: SEED });
}, 60_000);

import type { Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { findInOneBatch } from '../driver/find';
import { optionsOf } from '../schema/field-options';
import { currentTransaction } from '../transactions/context';
import type { Slug, Slugs } from '../schema/slug.schema';
import { slugBase, slugText } from '../schema/slug-text';

/** Candidates per read. */
const WINDOW = 50;

/** Old slugs that a record keeps. */
const MAX_OLD_SLUGS = 50;

/**
 * Makes the slugs of a record from its name, if a write sets it. It runs in the transaction of the write. A name with the
 * same base keeps the slug; one whose base the record had before takes the old slug back; any other gets a new one. Another
 * record may get that one first: then the unique index on `slugs.text` refuses the write, and the handler runs again.
 * @param _id the record to be updated; none for a new one
 */
export async function slugsFor(model: AnyModel, set: object, _id?: Types.ObjectId): Promise<Partial<Slugs>> {
  const { slugFallback } = optionsOf(model.schema.path('name'));
  const { name } = set as { readonly name?: unknown };
  if (slugFallback === undefined || typeof name !== 'string') return {};
  const base = slugBase(name, slugFallback);
  const own = _id && (await ownSlugs(model, _id));
  if (own?.slug.base === base) return {};
  const before = own?.slugs ?? [];
  const slug = before.find((old) => old.base === base) ?? (await newSlug(model, base, before));
  // In the order of their last use, so those that are dropped have been unused for longest.
  const slugs = [...before.filter((one) => one !== slug), slug].slice(-1 - MAX_OLD_SLUGS);
  return { slug, slugs };
}

async function ownSlugs({ collection }: AnyModel, _id: Types.ObjectId): Promise<Slugs | undefined> {
  const options = { projection: { slug: 1, slugs: 1 }, session: currentTransaction()!.session };
  return (await collection.findOne<Slugs>({ _id }, options)) ?? undefined;
}

/**
 * The highest current index of the base + 1, skipping slugs in use anywhere. The first attempt of a write asks for no
 * other slugs in use, because most names get the first one.
 */
async function newSlug(model: AnyModel, base: string, before: readonly Slug[]): Promise<Slug> {
  const first = await nextIndex(model, base);
  const text = slugText(base, first);
  const { losses } = currentTransaction()!.write;
  if (losses === 0 && !before.some((old) => old.text === text)) return { text, base, index: first };
  return nextFree(model, base, first);
}

async function nextIndex(model: AnyModel, base: string): Promise<number> {
  const options = { projection: { 'slug.index': 1 }, sort: { 'slug.index': -1 }, limit: 1 } as const;
  const find = { filter: { 'slug.base': base }, ...options };
  const [highest] = await findInOneBatch<Pick<Slugs, 'slug'>>(model, find, {
    session: currentTransaction()!.session,
  });
  return highest ? highest.slug.index + 1 : 0;
}

/** A write that others keep from a slug, perhaps a dead instance's open one, leaves it to them and jumps ahead. */
async function nextFree({ collection }: AnyModel, base: string, next: number): Promise<Slug> {
  const { session, write } = currentTransaction()!;
  const start = write.losses < 2 ? next : next + Math.floor(Math.random() * 4 ** write.losses);
  for (let first = start; ; first += WINDOW) {
    const window = Array.from({ length: WINDOW }, (_, offset) => first + offset);
    const texts = window.map((index) => slugText(base, index));
    const options = { projection: { slugs: 1 }, session };
    const holders = await collection.find<Slugs>({ 'slugs.text': { $in: texts } }, options).toArray();
    const taken = new Set(holders.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
    const free = window.find((index) => !taken.has(slugText(base, index)));
    if (free !== undefined) return { text: slugText(base, free), base, index: free };
  }
}

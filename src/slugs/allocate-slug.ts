import type { Model } from 'mongoose';
import type { AnyModel } from '../database/any-model';
import type { Slug, Slugs } from './slug.schema';
import { slugBase, slugText } from './slug-text';

/** How many candidates one read looks up. */
const WINDOW = 50;

/** How many old slugs a record keeps (contract §3 Slugs). */
export const MAX_OLD_SLUGS = 50;

/** What a slug is made for. */
export interface SlugRequest {
  readonly model: AnyModel;
  /** The name of the record. */
  readonly name: string;
  /** The base if the name has nothing that can be shown in ASCII: `organization`, `api`. */
  readonly fallback: string;
  /** The record's present slugs; none for a new record. */
  readonly own?: Slugs;
}

/**
 * The slugs of a record with this name (contract §3 Slugs). A name with the same base keeps the slug; one whose base the
 * record had before takes the old slug back; any other gets a new one. Another record may have that one: then the unique
 * index on `slugs.text` refuses the write, and the caller allocates again.
 *
 * @param blocked slugs that count as taken; undefined for the first attempt, which asks for no other slugs in use: most
 *   names get the first one, and each read is an eighth of the CPU time of a POST
 */
export async function allocateSlug(
  { model, name, fallback, own }: SlugRequest,
  blocked?: ReadonlySet<string>,
): Promise<Slugs> {
  const base = slugBase(name, fallback);
  if (own?.slug.base === base) return own;
  const before = own?.slugs ?? [];
  const slug = before.find((old) => old.base === base) ?? (await newSlug(model, base, before, blocked));
  // In the order of their last use, so those that are dropped have been unused for longest.
  return { slug, slugs: [...before.filter((old) => old !== slug), slug].slice(-1 - MAX_OLD_SLUGS) };
}

/** The highest current index of the base + 1, skipping slugs in use anywhere. */
async function newSlug(
  model: AnyModel,
  base: string,
  before: readonly Slug[],
  blocked: ReadonlySet<string> | undefined,
): Promise<Slug> {
  const first = await nextIndex(model, base);
  const text = slugText(base, first);
  if (!blocked && !before.some((old) => old.text === text)) return { text, base, index: first };
  return nextFree(model as Model<Slugs>, base, first, blocked);
}

async function nextIndex({ collection }: AnyModel, base: string): Promise<number> {
  const options = { projection: { 'slug.index': 1 }, sort: { 'slug.index': -1 } } as const;
  const highest = await collection.findOne<Pick<Slugs, 'slug'>>({ 'slug.base': base }, options);
  return highest ? highest.slug.index + 1 : 0;
}

async function nextFree(
  model: Model<Slugs>,
  base: string,
  start: number,
  blocked: ReadonlySet<string> = new Set(),
): Promise<Slug> {
  for (let first = start; ; first += WINDOW) {
    const window = Array.from({ length: WINDOW }, (_, offset) => first + offset);
    const texts = window.map((index) => slugText(base, index));
    const holders = await model.find({ 'slugs.text': { $in: texts } }, { slugs: 1 }).lean();
    const taken = new Set([...blocked, ...holders.flatMap(({ slugs }) => slugs.map(({ text }) => text))]);
    const free = window.find((index) => !taken.has(slugText(base, index)));
    if (free !== undefined) return { text: slugText(base, free), base, index: free };
  }
}

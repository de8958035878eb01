import type { Model } from 'mongoose';
import { slugBase, slugText } from './slug-text';
import type { Slug } from './slug.schema';

/** The slugs of a record: the one in force, and all that find it, old ones included. */
export interface Slugged {
  slug: Slug;
  slugs: Slug[];
}

/** How many candidates one read looks up. */
const WINDOW = 50;

/**
 * The slugs of a record under this name (contract §3 Slugs). A name with the same base keeps the slug, one whose base
 * the record had before takes the old slug back, any other gets the next free index. Another writer may take that one
 * first: the unique index on `slugs.text` tells, and the caller asks again.
 *
 * @param fallback the base of a name that leaves nothing: `organization`, `api`
 * @param own the record's present slugs; none for a new record
 */
export async function allocateSlug<R extends Slugged>(
  model: Model<R>,
  name: string,
  fallback: string,
  own?: Slugged,
): Promise<Slugged> {
  const base = slugBase(name, fallback);
  if (own?.slug.base === base) return { slug: own.slug, slugs: own.slugs };
  const former = own?.slugs.find((slug) => slug.base === base);
  if (own && former) return { slug: former, slugs: own.slugs };
  const slug = await nextFree(model as unknown as Model<Slugged>, base);
  return { slug, slugs: [...(own?.slugs ?? []), slug] };
}

/** The highest current index of the base + 1, skipping slugs in use anywhere. */
async function nextFree(model: Model<Slugged>, base: string): Promise<Slug> {
  const highest = await model.findOne({ 'slug.base': base }, { slug: 1 }).sort({ 'slug.index': -1 }).lean();
  for (let first = highest ? highest.slug.index + 1 : 0; ; first += WINDOW) {
    const window = Array.from({ length: WINDOW }, (_, offset) => first + offset);
    const texts = window.map((index) => slugText(base, index));
    const users = await model.find({ 'slugs.text': { $in: texts } }, { slugs: 1 }).lean();
    const taken = new Set(users.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
    const free = window.find((index) => !taken.has(slugText(base, index)));
    if (free !== undefined) return { text: slugText(base, free), base, index: free };
  }
}

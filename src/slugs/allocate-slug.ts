import type { Model } from 'mongoose';
import type { AnyModel } from '../database/any-model';
import type { Slug, Slugs } from './slug.schema';
import { slugBase, slugText } from './slug-text';

/** How many candidates one read looks up. */
const WINDOW = 50;

/**
 * The slugs of a record with this name (contract §3 Slugs). A name with the same base keeps the slug; one whose base the
 * record had before takes the old slug back; any other gets the next free index. Another writer may take that one first:
 * then the unique index on `slugs.text` refuses the write, and the caller allocates again.
 *
 * @param fallback the base if the name has nothing that can be shown in ASCII: `organization`, `api`
 * @param own the record's current slugs; none for a new record
 */
export async function allocateSlug(model: AnyModel, name: string, fallback: string, own?: Slugs): Promise<Slugs> {
  const base = slugBase(name, fallback);
  const known = own?.slugs.find((slug) => slug.base === base);
  if (own && known) return { slug: known, slugs: own.slugs };
  const slug = await nextFree(model as Model<Slugs>, base);
  return { slug, slugs: [...(own?.slugs ?? []), slug] };
}

/** The highest current index of the base + 1, skipping slugs in use anywhere. */
async function nextFree(model: Model<Slugs>, base: string): Promise<Slug> {
  const highest = await model.findOne({ 'slug.base': base }, { slug: 1 }).sort({ 'slug.index': -1 }).lean();
  for (let first = highest ? highest.slug.index + 1 : 0; ; first += WINDOW) {
    const window = Array.from({ length: WINDOW }, (_, offset) => first + offset);
    const texts = window.map((index) => slugText(base, index));
    const holders = await model.find({ 'slugs.text': { $in: texts } }, { slugs: 1 }).lean();
    const taken = new Set(holders.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
    const free = window.find((index) => !taken.has(slugText(base, index)));
    if (free !== undefined) return { text: slugText(base, free), base, index: free };
  }
}

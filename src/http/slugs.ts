import { transliterate } from 'transliteration';

/** The most characters of a slug's base; its index comes after (contract §3, Slugs). */
const maxBase = 80;

/** A slug and what it is made of. */
export interface Slug {
  slug: string;
  base: string;
  index: number;
}

/**
 * The base of a name's slug: the name in ASCII, lower case, with `-` for runs of anything but `a–z 0–9`, cut at the
 * last `-` within 80 characters.
 * @param fallback the base of a name that has nothing to show in ASCII: `organization`, `api`
 */
export function slugBase(name: string, fallback: string): string {
  const words = transliterate(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return cut(words.join('-')) || fallback;
}

function cut(base: string): string {
  if (base.length <= maxBase) return base;
  const within = base.slice(0, maxBase);
  const lastHyphen = within.lastIndexOf('-');
  return lastHyphen === -1 ? within : within.slice(0, lastHyphen);
}

/**
 * The next free slug of a base: the base itself when no record has that base, else with the highest index + 1; slugs
 * that are in use by whatever base, old ones included, are passed over.
 * @param highest the highest index that a record has now with this base; none when no record has it
 * @param inUse whether a record has or had this slug
 */
export function nextSlug(base: string, highest: number | undefined, inUse: (slug: string) => boolean): Slug {
  let index = highest === undefined ? 0 : highest + 1;
  while (inUse(slugOf(base, index))) index++;
  return { slug: slugOf(base, index), base, index };
}

/** The slug with that base and index: index 0 is the base itself. */
export function slugOf(base: string, index: number): string {
  return index === 0 ? base : `${base}-${index}`;
}

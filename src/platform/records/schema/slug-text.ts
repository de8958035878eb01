import { transliterate } from 'transliteration';

/** The most characters of a slug's base; its index comes after. */
const MAX_BASE = 80;

/**
 * The base of a name's slug: the name in ASCII, lower case, with `-` for runs of anything but `a–z 0–9`, cut at the
 * last `-` within 80 characters.
 * @param fallback the base if the name has nothing that can be shown in ASCII: `organization`, `api`
 */
export function slugBase(name: string, fallback: string): string {
  const words = inAscii(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return cut(words.join('-')) || fallback;
}

/** A name in letters that every keyboard has: `Ünï` is `Uni`, and what has no such form is left out. */
export function inAscii(name: string): string {
  return transliterate(withKnownCapitals(name.normalize('NFKC')));
}

/** The library lacks some capital letters, such as `ẞ` and those of Georgian. */
function withKnownCapitals(name: string): string {
  return name.replace(/[\p{Lu}\p{Lt}]/gu, (letter) => (transliterate(letter) === '' ? letter.toLowerCase() : letter));
}

function cut(base: string): string {
  if (base.length <= MAX_BASE) return base;
  const within = base.slice(0, MAX_BASE);
  const lastHyphen = within.lastIndexOf('-');
  return lastHyphen === -1 ? within : within.slice(0, lastHyphen);
}

/** The slug with that base and index: index 0 is the base itself. */
export function slugText(base: string, index: number): string {
  return index === 0 ? base : `${base}-${index}`;
}

const FINAL_SIGMA = /ς/gu;
const DEFAULT_IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** White space, which includes U+2028 and U+2029, and the blank Braille pattern. */
const SPACES = /[\p{White_Space}\u2800]+/gu;
/** Hyphens, dashes and the minus sign. NFKC has turned U+FE58, U+FE63 and U+FF0D into these or into `-`. */
const DASHES = /[\u2010-\u2015\u2212]/gu;

/**
 * `text` without regard to case (contract §1.9): two texts that differ only in case have the same result. Upper case
 * comes first because `ß` and `ﬀ` have no lower-case form that equals `SS` and `FF`; `ς` is `σ` at the end of a word.
 */
export function caseFold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replace(FINAL_SIGMA, 'σ').normalize('NFC');
}

/**
 * The key under which a name, username or e-mail address is unique (contract §1.9). Names that look the same because
 * they differ only in case, width, ligatures, spaces, dashes or invisible characters share one. The order matters: NFKC
 * makes some of the characters that are then removed or replaced, and what they kept apart is joined by the NFC of
 * `caseFold`.
 */
export function uniqueKey(text: string): string {
  const visible = text.normalize('NFKC').replace(DEFAULT_IGNORABLE, '');
  return caseFold(visible.replace(SPACES, ' ').replace(DASHES, '-').trim());
}

const FINAL_SIGMA = /ς/gu;
const DEFAULT_IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * `text` without regard to case (contract §1.9): two texts are equal but for case when their folds are equal.
 * Upper case first, since `ß` and `ﬀ` have no lower-case form that meets `SS` and `FF`; `ς` is `σ` at a word's end.
 */
export function caseFold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replace(FINAL_SIGMA, 'σ').normalize('NFC');
}

/**
 * The key under which a name, username or e-mail is unique (contract §1.9): names that differ only in case, width,
 * ligatures or characters that are not seen share one. Ignorable characters go after NFKC, since NFKC makes some
 * (U+3164 becomes U+1160), and before the fold, whose NFC then joins what they kept apart.
 */
export function uniqueKey(text: string): string {
  return caseFold(text.normalize('NFKC').replace(DEFAULT_IGNORABLE, ''));
}

/**
 * `text` without regard to case (contract §1.9): two texts that differ only in case have the same result. Upper case
 * comes first because `ß` and `ﬀ` have no lower-case form that equals `SS` and `FF`; `ς` is `σ` at the end of a word.
 */
export function caseFold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/**
 * The key under which a name, username or e-mail address is unique (contract §1.9). The order matters: NFKC makes some of
 * the characters that are then removed or replaced, and `caseFold` joins what they kept apart.
 */
export function uniqueKey(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // White space includes U+2028 and U+2029; U+2800 is the blank Braille pattern. Dashes include the minus sign.
  const spaced = visible.replace(/[\p{White_Space}\u2800]+/gu, ' ').trim();
  return caseFold(spaced.replace(/[\u2010-\u2015\u2212]/gu, '-'));
}

import { trim } from './text';

/** Digits with what people write between them, and an extension. */
const FORM = /^[0-9 +().\/-]*(?: ext\. [0-9]+)?$/;

/** The fewest digits of a telephone number. */
const MIN_DIGITS = 3;

/**
 * A telephone number in ASCII. When typeset or copied, it has spaces and hyphens of other kinds, invisible marks around
 * it, and its extension as `ext 12`, `x12` or `extension 12`. A text that is longer than `max` does not change. Other digits
 * that NFKC knows stay too: a raised one is a footnote, not part of the number.
 */
export function plainPhoneNumber(text: string, max: number): string {
  const sent = trim(text);
  if (sent.length > max) return sent;
  const plain = sent
    .replace(/[\uFF01-\uFF5E]/g, (wide) => wide.normalize('NFKC'))
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ');
  return trim(plain.replace(/[ ,;]*(?:ext(?:ension|n)?|x|#)[ .:=]*([0-9]+)$/i, ' ext. $1'));
}

/** Checks a number in the form of `plainPhoneNumber`. */
export function isPhoneNumber(text: string): boolean {
  return FORM.test(text) && text.replace(/ext.*|[^0-9]/g, '').length >= MIN_DIGITS;
}

/** What a text may contain (contract §1.6). A `name` is a line that people must be able to tell apart by sight. */
export type TextKind = 'line' | 'name' | 'paragraphs';

/** Format characters (Cf) could make two names look the same; Persian, Indic scripts and emoji need ZWNJ and ZWJ. */
const ALLOWED: Record<TextKind, RegExp> = {
  line: /^[^\p{Cc}\p{Cs}]*$/u,
  name: /^(?:[^\p{Cc}\p{Cs}\p{Cf}]|[\u200C\u200D])*$/u,
  paragraphs: /^(?:[^\p{Cc}\p{Cs}]|[\t\n])*$/u,
};

/** Checks that `text` has only characters that its kind may have (contract §1.6, otherwise 5432). */
export function isAllowedText(text: string, kind: TextKind): boolean {
  return ALLOWED[kind].test(text);
}

/** The pattern of a text in the OpenAPI document. It accepts more than the service: not every language knows `\p{…}`. */
export const TEXT_PATTERN = '^[^\\x00-\\x08\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F]*$';

/** Checks that `text` has a visible character, not only joiners and fillers (ADR 4). */
export function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** Names the character at an index of `text`, counted in code points from 1: `U+200E at position 5`. */
export function characterAt(text: string, index: number): string {
  const point = text.codePointAt(index)!.toString(16).toUpperCase().padStart(4, '0');
  return `U+${point} at position ${codePointLength(text.slice(0, index)) + 1}`;
}

/** The length of `text` in code points, as every limit of the contract counts. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/** `text` without White_Space at its ends; `String.prototype.trim` removes U+FEFF and keeps U+0085. */
export function trim(text: string): string {
  const start = text.search(/\P{White_Space}/u);
  if (start === -1) return '';
  let end = text.length;
  // A pattern needs quadratic time for long runs of spaces in the middle.
  while (/\p{White_Space}/u.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** `text` with a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `text` as it is, or an empty one if it is only White_Space. */
export function blankAsEmpty(text: string): string {
  return trim(text) === '' ? '' : text;
}

/** `text` as it is stored (contract §1.6). NFC takes long, so a text that would be too long even then is only trimmed. */
export function normalizeText(text: string, max: number): string {
  const trimmed = trim(text.replaceAll('\r\n', '\n'));
  // NFC joins at most four code points into one.
  return codePointLength(trimmed) > 4 * max ? trimmed : trimmed.normalize('NFC');
}

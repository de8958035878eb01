/** What a text may contain (contract §1.6). A `name` is a line that people must be able to tell apart by sight. */
export type TextKind = 'line' | 'name' | 'paragraphs';

/**
 * Invisible format characters (Cf) would make two names look the same. ZWNJ and ZWJ are allowed, since Persian, Indic
 * scripts and emoji need them.
 */
const ALLOWED: Record<TextKind, RegExp> = {
  line: /^[^\p{Cc}\p{Cs}]*$/u,
  name: /^(?:[^\p{Cc}\p{Cs}\p{Cf}]|[\u200C\u200D])*$/u,
  paragraphs: /^(?:[^\p{Cc}\p{Cs}]|[\t\n])*$/u,
};

/** Whether `text` has only characters that its kind may have (contract §1.6, otherwise 5432). */
export function isAllowedText(text: string, kind: TextKind): boolean {
  return ALLOWED[kind].test(text);
}

/**
 * The pattern of a text in the OpenAPI document: control characters other than white space, which may be trimmed, are
 * not allowed. Not every language knows `\p{…}`, so the service also rejects texts that match it.
 */
export const TEXT_PATTERN = '^[^\\x00-\\x08\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F]*$';

/** Whether `text` has a visible character: names of nothing but joiners and fillers would look the same (ADR 4). */
export function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** The length of `text` in code points, as every limit of the contract counts. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/**
 * `text` without White_Space at its ends. `String.prototype.trim` differs: it removes U+FEFF and keeps U+0085. The end
 * is found by a loop, since a pattern needs quadratic time for long runs of spaces in the middle.
 */
export function trim(text: string): string {
  const start = text.search(/\P{White_Space}/u);
  let end = text.length;
  while (end > start && /\p{White_Space}/u.test(text.charAt(end - 1))) end--;
  return start === -1 ? '' : text.slice(start, end);
}

/** `text` as it is, or an empty one if it is only White_Space. */
export function blankAsEmpty(text: string): string {
  return trim(text) === '' ? '' : text;
}

/**
 * `text` as it is stored and compared (contract §1.6). A text that would be longer than `max` code points even after
 * normalization is only trimmed: normalizing 64 KiB of combining marks takes half a second.
 */
export function normalizeText(text: string, max: number): string {
  const trimmed = trim(text.replaceAll('\r\n', '\n'));
  // NFC joins at most four code points into one.
  return codePointLength(trimmed) > 4 * max ? trimmed : trimmed.normalize('NFC');
}

/**
 * Text as the contract stores it (§1.6): NFC, trimmed by Unicode's White_Space, `\r\n` as `\n`; which characters may
 * stand in it; how long it is.
 */

const WHITE_SPACE = /^\p{White_Space}$/u;

/** What a text may hold. `name` is a line that people tell apart by sight. */
export type TextKind = 'line' | 'name' | 'paragraphs';

/**
 * The characters each kind may hold, as sources of patterns with the flag `u`. Invisible format characters (Cf) would
 * give two names one look; ZWNJ and ZWJ stay, since Persian, Indic scripts and emoji need them.
 */
const ALLOWED: Record<TextKind, string> = {
  line: '[^\\p{Cc}\\p{Cs}]',
  name: '(?:[^\\p{Cc}\\p{Cs}\\p{Cf}]|[\\u200C\\u200D])',
  paragraphs: '(?:[^\\p{Cc}\\p{Cs}]|[\\t\\n])',
};

/** The same of a text as it is sent, where `\r\n` stands for `\n`. */
const SENT: Record<TextKind, string> = { ...ALLOWED, paragraphs: '(?:[^\\p{Cc}\\p{Cs}]|\\t|\\r?\\n)' };

const WHOLE: Record<TextKind, RegExp> = {
  line: new RegExp(`^${ALLOWED.line}*$`, 'u'),
  name: new RegExp(`^${ALLOWED.name}*$`, 'u'),
  paragraphs: new RegExp(`^${ALLOWED.paragraphs}*$`, 'u'),
};

/** Whether `text` holds only characters that its kind may hold (contract §1.6; otherwise fault 5432). */
export function isAllowedText(text: string, kind: TextKind): boolean {
  return WHOLE[kind].test(text);
}

/** The pattern, for the OpenAPI document, of a text of that kind; `required` asks for a character that is seen. */
export function textPattern(kind: TextKind, required: boolean): string {
  const any = `${SENT[kind]}*`;
  const unseen = kind === 'name' ? '\\p{Default_Ignorable_Code_Point}' : '';
  return required ? `^${any}[^\\s\\p{Cc}\\p{Cs}\\p{Cf}${unseen}]${any}$` : `^${any}$`;
}

const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;

/** Whether `text` holds anything that is seen: two names of joiners and fillers alone would be the same (ADR 4). */
export function isVisible(text: string): boolean {
  return SEEN.test(text);
}

/** The length of `text` in code points, which is what every bound of the contract counts. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/**
 * `text` without White_Space at its ends. `String.prototype.trim` differs: it takes U+FEFF and leaves U+0085.
 * Written as loops, since a pattern for the end tries every run of spaces in the middle to its end: quadratic time.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start++;
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** No composed character stands for more code points than this: Unicode's bound on canonical decomposition. */
const MOST_JOINED = 4;

/**
 * `text` as it is stored and compared (contract §1.6). A text that no normalization brings down to `max` code points
 * is only trimmed: normalizing 64 KiB of combining marks takes half a second, and it is too long all the same.
 */
export function normalizeText(text: string, max: number): string {
  const trimmed = trim(text.replaceAll('\r\n', '\n'));
  if (codePointLength(trimmed) > max * MOST_JOINED) return trimmed;
  return trimmed.normalize('NFC');
}

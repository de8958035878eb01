/** What a text may contain (contract §10.1). A `name` is a line that people must be able to tell apart by sight. */
export type TextKind = 'line' | 'name' | 'paragraphs';

/** The first character that a text of this kind may not have (contract §10.1). */
const FORBIDDEN: Record<TextKind, RegExp> = {
  line: /[\p{Cc}\p{Cs}]/u,
  name: forbiddenInNames(),
  paragraphs: /(?![\t\n])[\p{Cc}\p{Cs}]/u,
};

/** What shows nothing could make two names look the same; some of it has an effect where its script or an emoji needs it. */
function forbiddenInNames(): RegExp {
  // Unicode keeps these ranges for them.
  const rightToLeft =
    '(?:(?=\\p{L})[\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFF\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}])';
  const allowed = [
    // Zero-width joiner and non-joiner: Persian, Indic scripts, emoji.
    '[\\u200C\\u200D]',
    // Left-to-right and right-to-left marks between letters that are written from right to left.
    `(?<=${rightToLeft}\\P{L}{0,20})[\\u200E\\u200F](?=\\P{L}{0,20}${rightToLeft})`,
    // Flags of regions, whose letters are tags.
    '(?<=\\u{1F3F4}[\\u{E0030}-\\u{E007A}]{0,6})[\\u{E0030}-\\u{E007A}](?=[\\u{E0030}-\\u{E007A}]{0,6}\\u{E007F})',
    '(?<=\\u{1F3F4}[\\u{E0030}-\\u{E007A}]{1,6})\\u{E007F}',
    // Variation selectors choose a form of the character before them.
    '(?<=[\\p{S}\\p{Emoji}\\p{Script=Hani}])[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
    '(?<=\\p{Script=Mong})[\\u180B-\\u180D\\u180F]',
  ].join('|');
  const hidden = '[\\p{Cc}\\p{Cs}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]';
  return new RegExp(`(?!${allowed})${hidden}`, 'u');
}

/** The index of the first character that a text of this kind may not have; -1 if there is none. */
export function forbiddenAt(text: string, kind: TextKind): number {
  return text.search(FORBIDDEN[kind]);
}

/** Checks that `text` has only characters that its kind may have (contract §10.1, otherwise 5432). */
export function isAllowedText(text: string, kind: TextKind): boolean {
  return forbiddenAt(text, kind) === -1;
}

/** `text` without the characters that a text of this kind may not have. */
export function withoutForbidden(text: string, kind: TextKind): string {
  return text.replace(new RegExp(FORBIDDEN[kind], 'gu'), '');
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

/** `text` without white space (contract §10.1) at its ends; `String.prototype.trim` keeps U+0085. */
export function trim(text: string): string {
  const start = text.search(/[^\p{White_Space}\uFEFF]/u);
  if (start === -1) return '';
  let end = text.length;
  // A pattern needs quadratic time for long runs of spaces in the middle.
  while (/[\p{White_Space}\uFEFF]/u.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** `text` with a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `text`, or an empty one if it is only white space. */
export function blankAsEmpty(text: string): string {
  return trim(text) === '' ? '' : text;
}

/** The stored form of a text (contract §1.6). NFC takes long, so a text that would be too long even then is only trimmed. */
export function normalizeText(text: string, max: number): string {
  const trimmed = trim(text.replaceAll('\r\n', '\n'));
  // NFC joins at most four code points into one.
  return codePointLength(trimmed) > 4 * max ? trimmed : trimmed.normalize('NFC');
}

/** `text` for a terminal: what shows nothing, or would control it, is written as `\u{1b}`. Line breaks stay. */
export function visibleText(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
}

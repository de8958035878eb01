import { apiError } from '../../errors/api-error';

/** The deepest nesting of a body; the object itself is the first level (contract §1.5). */
export const MAX_DEPTH = 32;

/** The most members and array elements of a body together (contract §1.5). */
export const MAX_MEMBERS = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENERS: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Parses a body into its members. Of two members with one name the last holds, as ECMAScript has it; a member named
 * `__proto__` is a member like others.
 * @throws Failure `unusableBody` when it is no JSON object, or too deep, or has too many members
 */
export function parseObject(text: string): Record<string, unknown> {
  boundJson(text);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw apiError('unusableBody');
  return value as Record<string, unknown>;
}

/**
 * Refuses a text that is too deep or has too many members, in one pass and before it is parsed: what JSON.parse would
 * build of 64 KiB of brackets costs far more than the text. Doubled names count. What is no JSON may pass.
 */
function boundJson(text: string): void {
  let depth = 0;
  let members = 0;
  let opened = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (WHITE_SPACE.has(code)) continue;
    // A container's first member has no comma before it; it is there when anything but the end follows the opener.
    if (code === COMMA || (opened && !CLOSERS.has(code))) members++;
    opened = OPENERS.has(code);
    if (opened) depth++;
    if (CLOSERS.has(code)) depth--;
    if (depth > MAX_DEPTH) throw apiError('unusableBody', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (members > MAX_MEMBERS)
      throw apiError('unusableBody', `The body has more than ${MAX_MEMBERS} members and elements.`);
    if (code === QUOTE) at = endOfString(text, at);
  }
}

/** Where the string that begins at `start` ends: at its closing quote, or with the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw apiError('unusableBody');
  }
}

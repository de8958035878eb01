import { fail } from '../failures';

/** The deepest nesting of a body; the object itself is the first level (contract §1.5). */
export const maxDepth = 32;

/** The most members and array elements of a body together (contract §1.5). */
export const maxMembers = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closers: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const whiteSpace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Parses a body into its members. Of two members with one name the last holds, as ECMAScript has it; a member named
 * `__proto__` is a member like others.
 * @throws Failure `unusableBody` when it is no JSON object, or too deep, or has too many members
 */
export function parseObject(text: string): Record<string, unknown> {
  boundJson(text);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw fail('unusableBody');
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
    if (whiteSpace.has(code)) continue;
    // A container's first member has no comma before it; it is there when anything but the end follows the opener.
    if (code === comma || (opened && !closers.has(code))) members++;
    opened = openers.has(code);
    if (opened) depth++;
    if (closers.has(code)) depth--;
    if (depth > maxDepth) throw fail('unusableBody', `The body is nested deeper than ${maxDepth} levels.`);
    if (members > maxMembers) throw fail('unusableBody', `The body has more than ${maxMembers} members and elements.`);
    if (code === quote) at = endOfString(text, at);
  }
}

/** Where the string that begins at `start` ends: at its closing quote, or with the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail('unusableBody');
  }
}

import { isDomain } from './domain';

const LETTER = '[^\\x00-/:-@\\[-`{-\\x7F]';
const LABEL = `${LETTER}(?:[^\\x00-,./:-@\\[-\`{-\\x7F]*${LETTER})?`;
const ATOM = '[^\\x00- "(),.:;<>@\\[\\\\\\]\\x7F]+';

/**
 * The WHATWG's "valid e-mail address" (HTML §4.10.5.1.5) with any character above ASCII, and no dot at the ends of the
 * part before the `@` or after another dot. For the OpenAPI document, which knows no `\p{…}`: it accepts more than the
 * service.
 */
export const EMAIL_PATTERN = `^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`;

const FORM = new RegExp(EMAIL_PATTERN, 'u');

/** Above ASCII only what words consist of: quotation marks and brackets of all scripts stand around an address. */
const LOCAL_PART = /^(?:[\0-\x7F\p{L}\p{M}\p{N}]|(?<=[^\0-\x7F])[\u200C\u200D](?=[^\0-\x7F]))+$/u;

/** The most bytes before the `@` (RFC 5321 §4.5.3.1.1, RFC 6531 §3.3). */
export const MAX_LOCAL_PART = 64;

/** Checks that a text is an e-mail address and nothing else (contract §10.3), but for `MAX_LOCAL_PART`. */
export function isEmailAddress(text: string): boolean {
  if (!FORM.test(text)) return false;
  const { local, domain } = emailParts(text);
  return LOCAL_PART.test(local) && isDomain(domain ?? '');
}

/** The parts before and after the last `@`; all is the first one if there is none. */
export function emailParts(text: string): { local: string; domain: string | undefined } {
  const at = text.lastIndexOf('@');
  return at === -1 ? { local: text, domain: undefined } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

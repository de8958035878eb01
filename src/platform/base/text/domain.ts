import { domainToASCII } from 'node:url';

/** Letters of all scripts, and what else may be in an international domain (RFC 5892, CONTEXTJ and CONTEXTO). */
const CHARACTERS = /^[a-z0-9.\-\p{L}\p{M}\p{N}\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D]+$/iu;

/** Labels of letters, digits and hyphens (RFC 1123 §2.1). */
const LABELS = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** RFC 1035 §2.3.4. */
const MAX_LENGTH = 253;

/** `xn--bcher-kva.example` for `Bücher.example`, by the rules of browsers (UTS #46); undefined for what is no domain. */
export function asciiDomain(domain: string): string | undefined {
  if (domain.length > MAX_LENGTH || !CHARACTERS.test(domain)) return undefined;
  // `domainToASCII` would read an ASCII domain of numbers as an IPv4 address.
  const ascii = /[^\0-\x7F]/.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
  return ascii.length <= MAX_LENGTH && LABELS.test(ascii) ? ascii : undefined;
}

/** Checks for a domain of characters that all programs read alike: IDNA replaces `ｅ` and `①`, others do not. */
export function isDomain(domain: string): boolean {
  return asciiDomain(domain) !== undefined && domain.normalize('NFKC') === domain.normalize('NFC');
}

import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What an API key may be used for: `read` for GET and HEAD only. */
export const API_KEY_SCOPES = ['read', 'write'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Tells keys from access tokens, and lets scanners find keys that leaked (SECURITY.md). */
const PREFIX = 'roster_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 43 random digits have 256 bits. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** Makes a key from a cryptographic source. */
export function newApiKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return PREFIX + secret + checksumOf(secret);
}

/** Recognizes a text that has the form and the checksum of a key, so mistyped keys never reach the database. */
export function isApiKey(text: string): boolean {
  const [, secret, checksum] = FORM.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** What is stored of an API key, a refresh token or a link. Each contains 256 random bits, so a fast hash is enough. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** The CRC-32 of a text in base 62. */
function checksumOf(text: string): string {
  let [digits, rest] = ['', crc32(text)];
  for (; digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
  }
  return digits;
}

import { isIP } from 'node:net';
import * as ipaddr from 'ipaddr.js';
import { mongo } from 'mongoose';

/** The minimum size of an HS256 key in bytes: RFC 7518 §3.2 requires the size of the hash. */
export const MIN_SECRET_BYTES = 32;

export function isSecret(text: string): boolean {
  return Buffer.byteLength(text) >= MIN_SECRET_BYTES;
}

/** Recognizes an address to listen at. Listening fails for a name that cannot be resolved. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^(?![\d.]+$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);
}

/** Reason why the driver refuses a connection string; undefined when it does not. Contains no username and no password. */
export function mongodbUriProblem(uri: string): string | undefined {
  try {
    // This connects to nothing. Only the server checks the name of the database ("Naming Restrictions" in its manual).
    const { dbName } = new mongo.MongoClient(uri).options;
    const isName = Buffer.byteLength(dbName) <= 63 && !/[/\\. "$\0]/.test(dbName);
    return isName ? undefined : 'its database name is too long, or has a character that MongoDB does not allow';
  } catch (error) {
    return (error as Error).message.replace(/\/\/.*@/s, '//…@');
  }
}

/** Recognizes `RATE_LIMIT_STORE`. */
export function isStore(text: string): boolean {
  const { protocol = '', hostname = '', pathname = '', search = '', hash = '' } = URL.parse(text) ?? {};
  // An unencoded / ? or # in a password ends the host.
  const isWhole = !`${pathname}${search}${hash}`.includes('@');
  return text === 'memory' || (/^(redis|valkey)s?:$/.test(protocol) && hostname !== '' && isWhole);
}

/** Recognizes an origin as browsers send it (RFC 6454 §6.2): others would never match. No `*`, which is every page. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;
}

/** Recognizes a URL of an identity provider that nobody on the network can answer in its place (RFC 8414 §2, §6.1). */
export function isProviderUrl(given: unknown): given is string {
  const { protocol, hostname, search, hash, username } = URL.parse(String(given)) ?? {};
  const isLocal = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '');
  return (protocol === 'https:' || isLocal) && [search, hash, username].join('') === '';
}

/** Claims that people can choose at a provider: they could choose another person's, and be taken for that person. */
export const CHOSEN_CLAIMS = ['email', 'preferred_username', 'upn', 'unique_name', 'name', 'nickname'];

/** `TRUST_PROXY` in the form of Fastify's `trustProxy`. */
export function trustedProxies(text: string): boolean | number | string {
  if (['true', 'false', '0'].includes(text)) return text === 'true';
  return /^\d{1,2}$/.test(text) ? Number(text) : text.replace(/\s/g, '');
}

/** Recognizes an item of a list of trusted proxies. Fastify does not take `/0`, which is `true`. */
export function isRange(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  return isIP(address) !== 0 && (prefix === undefined || (ipaddr.isValidCIDR(text) && Number(prefix) > 0));
}

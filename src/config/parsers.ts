import { isIP } from 'node:net';

/** The minimum size of an HS256 key in bytes: RFC 7518 §3.2 requires the size of the hash. */
export const MIN_SECRET_BYTES = 32;

/** The named ranges that Fastify accepts in addition to addresses. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A frozen list of comma-separated items, or undefined when one is not valid. */
function list(given: string, isValid: (item: string) => boolean): readonly string[] | undefined {
  const items = given.split(',').map((item) => item.trim());
  return items.every(isValid) ? Object.freeze(items) : undefined;
}

/** `JWT_SECRET`: secrets of at least `MIN_SECRET_BYTES` each; the first signs. */
export function parseSecrets(given: string): readonly string[] | undefined {
  return list(given, (secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES);
}

/** `HOST`: an IP address or a host name (RFC 1123 §2.1). */
export function parseHost(given: string): string | undefined {
  if (isIP(given) !== 0) return given;
  const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  return given.length <= 253 && new RegExp(`^(?!\\d+(\\.\\d+)*$)${label}(\\.${label})*$`).test(given)
    ? given
    : undefined;
}

/**
 * `MONGODB_URI`: a connection string. `URL` cannot parse it, since it can name several hosts. Only its shape is checked
 * here; the driver checks its options.
 */
export function parseMongodbUri(given: string): string | undefined {
  const match = /^mongodb(?:\+srv)?:\/\/(?:[^@/\s]+@)?([^@/?\s]+)(?:\/[^?\s]*)?(?:\?\S*)?$/.exec(given);
  const hosts = match?.[1]?.split(',') ?? [''];
  return hosts.every(isHostAndPort) ? given : undefined;
}

function isHostAndPort(host: string): boolean {
  const [, name, port] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return name !== undefined && (port === undefined || (Number(port) > 0 && Number(port) <= 65535));
}

/** `RATE_LIMIT_STORE`: `memory`, `mongodb`, or the URL of a Valkey or Redis server. */
export function parseStore(given: string): string | undefined {
  if (given === 'memory' || given === 'mongodb') return given;
  const url = URL.parse(given);
  return url && /^(redis|valkey)s?:$/.test(url.protocol) && url.hostname !== '' ? given : undefined;
}

/**
 * `CORS_ORIGINS`: origins exactly as browsers send them in `Origin` (RFC 6454 §6.2). No `*`, which would allow every
 * page, and nothing after the host: such an entry would never match.
 */
export function parseOrigins(given: string): readonly string[] | undefined {
  return list(given, isOrigin);
}

function isOrigin(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === given && !given.includes('*');
}

/** `TRUST_PROXY`: `true`, `false`, the number of proxies in front, or a list of their addresses and CIDR ranges. */
export function parseTrustProxy(given: string): boolean | string | number | undefined {
  if (given === 'true' || given === 'false') return given === 'true';
  if (/^\d{1,2}$/.test(given)) return given === '0' ? false : Number(given);
  return list(given, isRange)?.join(',');
}

function isRange(given: string): boolean {
  if (NAMED_RANGES.has(given)) return true;
  const [address = '', prefix, rest] = given.split('/');
  const version = isIP(address);
  if (version === 0 || rest !== undefined) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128);
}

/** `BASE_PATH`: `/x` or `/x/y` of unreserved characters (RFC 3986 §2.3), without a slash at the end. */
export function parseBasePath(given: string): string | undefined {
  return /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/.test(given) && given.length <= 200 ? given : undefined;
}

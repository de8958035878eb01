import { isIP } from 'node:net';

/** The shortest secret in bytes that HS256 may be keyed with: RFC 7518 §3.2 asks for the size of the hash. */
export const MIN_SECRET_BYTES = 32;

/** The named ranges that Fastify's proxy-addr knows beside addresses. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** A comma-separated list; an empty item makes it unusable. */
function list(given: string): string[] | undefined {
  const items = given.split(',').map((item) => item.trim());
  return items.includes('') ? undefined : items;
}

/** `JWT_SECRET`: secrets of at least `MIN_SECRET_BYTES` each, the first signs. */
export function parseSecrets(given: string): readonly string[] | undefined {
  const secrets = list(given);
  const long = secrets?.every((secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES);
  return long ? secrets : undefined;
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
 * `MONGODB_URI`: a connection string, which names several hosts and is therefore no URL of the WHATWG kind. Only its
 * shape is judged here; the driver judges its options.
 */
export function parseMongodbUri(given: string): string | undefined {
  const match = /^mongodb(?:\+srv)?:\/\/(?:[^@/\s]+@)?([^@/?\s]+)(?:\/[^?\s]*)?(?:\?\S*)?$/.exec(given);
  const hosts = match?.[1]?.split(',') ?? [];
  const usable = hosts.length > 0 && hosts.every((host) => parseAuthority(host));
  return usable ? given : undefined;
}

function parseAuthority(host: string): boolean {
  const [, name, port] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._%-]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return name !== undefined && (port === undefined || (Number(port) > 0 && Number(port) <= 65535));
}

/** `RATE_LIMIT_STORE`: `memory`, `mongodb`, or the URL of a Valkey or Redis server. */
export function parseStore(given: string): string | undefined {
  if (given === 'memory' || given === 'mongodb') return given;
  const url = URL.parse(given);
  const usable = url !== null && /^(redis|valkey)s?:$/.test(url.protocol) && url.hostname !== '';
  return usable ? given : undefined;
}

/**
 * `CORS_ORIGINS`: origins exactly as browsers send them in `Origin` (RFC 6454 §6.2). No `*`, which would open the
 * registry to every page, and nothing after the host: such an entry would never match.
 */
export function parseOrigins(given: string): readonly string[] | undefined {
  const origins = list(given);
  return origins?.every(isOrigin) ? origins : undefined;
}

function isOrigin(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === given && !given.includes('*');
}

/** `TRUST_PROXY`: `true`, `false`, the number of proxies in front, or a list of their addresses and CIDR ranges. */
export function parseTrustProxy(given: string): boolean | string | number | undefined {
  if (given === 'true' || given === 'false') return given === 'true';
  if (/^\d{1,2}$/.test(given)) return given === '0' ? false : Number(given);
  const ranges = list(given);
  return ranges?.every(isRange) ? ranges.join(',') : undefined;
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
  const usable = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/.test(given) && given.length <= 200;
  return usable ? given : undefined;
}

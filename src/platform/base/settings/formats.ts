import { isIP } from 'node:net';
import * as ipaddr from 'ipaddr.js';
import { mongo } from 'mongoose';
import { codePointLength, isAllowedText, isVisible, normalizeText } from '../text/text';
import { Format } from './variables';

/** The longest company name in code points (contract §3 User). */
const MAX_COMPANY_NAME = 255;

/** The minimum size of an HS256 key in bytes: RFC 7518 §3.2 requires the size of the hash. */
export const MIN_SECRET_BYTES = 32;

/** A frozen list of comma-separated items, or undefined when one is not valid. */
function list(given: string, isValid: (item: string) => boolean): readonly string[] | undefined {
  const items = given.split(',').map((item) => item.trim());
  return items.every(isValid) ? Object.freeze(items) : undefined;
}

/** The value itself if it is valid. */
function text(isValid: (given: string) => boolean): (given: string) => string | undefined {
  return (given) => (isValid(given) ? given : undefined);
}

/** `JWT_SECRET`: the first secret signs. */
export const secrets: Format<readonly string[]> = {
  parse: (given) => list(given, (secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES),
  expected: `at least ${MIN_SECRET_BYTES}, or several such secrets, separated by commas`,
  secret: true,
};

/** `CONTACT`. */
export const contact: Format<string> = {
  parse: text((given) => /^[^\s@<>"]+@[^\s@<>"]+$/.test(given) || /^https?:\/\/[^\s<>"]+$/.test(given)),
  expected: 'an e-mail address or an http or https URL',
};

/** `HOST` and `MANAGEMENT_HOST`. Listening fails for a name that cannot be resolved. */
export const host: Format<string> = {
  parse: text((given) => isIP(given) !== 0 || /^(?![\d.]+$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(given)),
  expected: 'an IP address or a host name',
};

/** `MONGODB_URI`. `URL` cannot parse several hosts, so each is checked by itself; the driver checks the options. */
export const mongodbUri: Format<string> = {
  parse: text((given) => {
    const hosts = mongodbHosts(given)?.split(',') ?? [''];
    return hosts.every((host) => host !== '' && URL.canParse(`mongodb://${host}`));
  }),
  expected: 'a connection string like mongodb://host:27017/roster',
  secret: true,
};

/** The hosts in a connection string, with their ports; undefined if it is none. */
export function mongodbHosts(uri: string): string | undefined {
  return /^mongodb(?:\+srv)?:\/\/(?:[^@/\s]+@)?([^@/?\s]+)(?:[/?]\S*)?$/.exec(uri)?.[1];
}

/** Reason why a connection string cannot be used; undefined when it can. Contains no username and no password. */
export function mongodbUriProblem(uri: string): string | undefined {
  if (!refusal(uri)) return undefined;
  const withoutLogin = uri.replace(/\/\/[^@/]*@/, '//user:password@');
  return refusal(withoutLogin) ?? 'the driver says: the username and password must be percent-encoded';
}

/** Creating a client checks the options, and does not connect. Only the server checks the database's name. */
function refusal(uri: string): string | undefined {
  try {
    const { dbName } = new mongo.MongoClient(uri).options;
    // The rules of MongoDB for Unix ("Naming Restrictions" in its manual).
    if (Buffer.byteLength(dbName) <= 63 && !/[/\\. "$\0]/.test(dbName)) return undefined;
    return 'its database name must have at most 63 bytes, and no space and none of / \\ . " $';
  } catch (error) {
    return `the driver says: ${(error as Error).message}`;
  }
}

/** `RATE_LIMIT_STORE`. */
export const store: Format<string> = {
  parse: text((given) => {
    const { protocol = '', hostname = '', pathname = '', search = '', hash = '' } = URL.parse(given) ?? {};
    // An unencoded / ? or # in a password ends the host, and the log would show the rest as its path.
    const isWhole = !`${pathname}${search}${hash}`.includes('@');
    return given === 'memory' || (/^(redis|valkey)s?:$/.test(protocol) && hostname !== '' && isWhole);
  }),
  expected: 'memory, or the URL of a Valkey or Redis server like redis://host:6379 (login percent-encoded)',
};

/**
 * `CORS_ORIGINS`: exactly as browsers send them in `Origin` (RFC 6454 §6.2), since others would never match. No `*`,
 * which would allow every page.
 */
export const origins: Format<readonly string[]> = {
  parse: (given) => list(given, (item) => /^https?:\/\/[^*]+$/.test(item) && URL.parse(item)?.origin === item),
  expected: 'origins like https://app.example.org, separated by commas, without a path, a slash at the end or *',
};

/** `OIDC_ISSUER`, exactly as the provider spells it. */
export const issuer: Format<string> = {
  parse: text(isProviderUrl),
  expected: 'an https URL without query and credentials (http only for localhost, 127.0.0.1 and [::1])',
};

/** Recognizes a URL of an identity provider that nobody on the network can answer in its place (RFC 8414 §2, §6.1). */
export function isProviderUrl(given: unknown): given is string {
  const { protocol, hostname, search, hash, username } = URL.parse(String(given)) ?? {};
  const isLocal = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '');
  return (protocol === 'https:' || isLocal) && [search, hash, username].join('') === '';
}

/** Claims that providers let people choose: whoever chooses another person's would be that person. */
const CHOSEN_CLAIMS = ['email', 'preferred_username', 'upn', 'unique_name', 'name', 'nickname'];

/** `OIDC_USERNAME_CLAIM` and the like. */
export const claim: Format<string> = {
  parse: text((given) => /^[\w:/.-]{1,100}$/.test(given)),
  expected: 'the name of a claim',
};

/** `OIDC_COMPANY_NAME`, with the rules of `companyName` of Users. */
export const companyName: Format<string> = {
  parse: (given) => {
    const name = normalizeText(given, MAX_COMPANY_NAME);
    const isValid = isVisible(name) && isAllowedText(name, 'name') && codePointLength(name) <= MAX_COMPANY_NAME;
    return isValid ? name : undefined;
  },
  expected: `a name of 1 to ${MAX_COMPANY_NAME} characters, none of them a control character or invisible`,
};

/** `OIDC_SUBJECT_CLAIM`. */
export const subjectClaim: Format<string> = {
  parse: text((given) => claim.parse(given) !== undefined && !CHOSEN_CLAIMS.includes(given)),
  expected: `the name of a claim that people cannot choose, such as sub or oid, and not one of ${CHOSEN_CLAIMS.join(', ')}`,
};

/** `TRUST_PROXY`, in the forms that Fastify's `trustProxy` takes. */
export const trustProxy: Format<boolean | string | number> = {
  parse: (given) => {
    if (['true', 'false', '0'].includes(given)) return given === 'true';
    return /^\d{1,2}$/.test(given) ? Number(given) : list(given, isRange)?.join(',');
  },
  expected: 'true, false, the number of proxies (0 to 99), or addresses and CIDR ranges, separated by commas',
};

/** Fastify does not take `/0`, which is `true`. */
function isRange(given: string): boolean {
  const [address = '', prefix] = given.split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(given)) return true;
  return isIP(address) !== 0 && (prefix === undefined || (ipaddr.isValidCIDR(given) && Number(prefix) > 0));
}

/** `BASE_PATH`: `/x` or `/x/y` of unreserved characters (RFC 3986 §2.3). */
export const basePath: Format<string> = {
  parse: text((given) => /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)+$/.test(given) && given.length <= 200),
  expected: 'a path like /registry of A–Z, a–z, 0–9, ., _, ~ and -, without a slash at the end',
};

import { resolve } from 'node:path';
import { IsOptional } from 'class-validator';
import * as formats from './formats';
import { Flag, List, Parsed, Rule, Whole, Word } from './rules';

const DAY = 24 * 60 * 60;
const PORT = [0, 65_535] as const;
const COUNT = [0, 1_000_000] as const;

/**
 * The settings of the service (docs/operating.md), with their defaults: `MONGODB_URI` is `mongodbUri`. They are read once
 * at the start (src/platform/operations/start/load-settings.ts) and frozen. The class is also the token that Nest injects:
 * `constructor(private readonly settings: Settings)`.
 */
export class Settings {
  @Word('development', 'production', 'test') readonly nodeEnv: 'development' | 'production' | 'test' = 'development';
  @Whole(...PORT) readonly port: number = 3000;

  @Rule(formats.isHost, 'be an IP address or a host name')
  readonly host: string = '127.0.0.1';

  /** Where `GET /metrics` is in production. */
  @Rule((own, { nodeEnv, port }: Settings) => own === 0 || own !== port || nodeEnv !== 'production', 'differ from PORT')
  @Whole(...PORT)
  readonly managementPort: number = 9464;

  @Rule(formats.isHost, 'be an IP address or a host name')
  readonly managementHost: string = '127.0.0.1';

  @Rule(
    (uri: string) => formats.mongodbUriProblem(uri) === undefined,
    (uri) =>
      `be a connection string like mongodb://host:27017/roster, or run \`npm start\`: ${formats.mongodbUriProblem(uri)}`,
  )
  readonly mongodbUri: string = '';

  /** An absolute path. */
  @Parsed(resolve) readonly dataDir: string = resolve('.data');

  /** The keys of access tokens; the first signs. Without one, secret.ts generates one outside production. */
  @Rule(
    (secrets: readonly string[], { nodeEnv }: Settings) =>
      secrets.every(formats.isSecret) && (secrets.length > 0 || nodeEnv !== 'production'),
    `be at least ${formats.MIN_SECRET_BYTES} bytes long, or several such secrets, separated by commas`,
  )
  @List()
  readonly jwtSecret: readonly string[] = Object.freeze([]);

  /** The password of the first Admin, or `''`. Its rules are those of Users (load-settings.ts). */
  @Parsed(String) readonly adminPassword: string = '';

  /** Who may read the catalog of public APIs (RFC 9727) without login. */
  @Word('off', 'public') readonly apiCatalog: 'off' | 'public' = 'off';

  /** Who may create Users. */
  @Word('admin', 'open') readonly registration: 'admin' | 'open' = 'admin';

  /** Which Users an account that is not an Admin may list, search and read: all, or only its own. */
  @Word('accounts', 'admins') readonly userDirectory: 'accounts' | 'admins' = 'accounts';
  @Word('accounts', 'admin') readonly organizationCreation: 'accounts' | 'admin' = 'accounts';

  /** Who may invite people without an account to an Organization: Admins, or its Managers too. */
  @Word('admins', 'managers') readonly invitations: 'admins' | 'managers' = 'admins';

  /** Per address with open registration, or by invitations of Managers; 0 = off. */
  @Whole(...COUNT) readonly registrationsPerHour: number = 20;

  /** Organizations that somebody other than an Admin may have created; 0 = off. */
  @Whole(...COUNT) readonly organizationsPerUser: number = 100;
  @Whole(0, 36_500) readonly eventRetentionDays: number = 400;

  /** In seconds. A session lasts as long as the refresh token after its last refresh. */
  @Whole(1, DAY) readonly accessTokenTtl: number = 900;
  @Whole(1, 90 * DAY) readonly refreshTokenTtl: number = 30 * DAY;

  /** Per account, and per address; 0 = off. */
  @Whole(...COUNT) readonly rateLimitPerMinute: number = 3000;

  /** Failed logins per account and address; 0 = no login limits. */
  @Whole(...COUNT) readonly loginRateLimitPerMinute: number = 10;

  /** `memory`, or the URL of a Valkey or Redis server. */
  @Rule(formats.isStore, 'be memory, or a URL of Valkey or Redis like redis://host:6379 (login percent-encoded)')
  readonly rateLimitStore: string = 'memory';

  /** The identity provider whose tokens are credentials, or `''`. */
  @Rule(
    (url: string, { oidcAudience, oidcClientId, oidcCreateUsers }: Settings) =>
      formats.isProviderUrl(url) || (url === '' && !oidcAudience && !oidcClientId && !oidcCreateUsers),
    'be an https URL without query and credentials (http only for localhost, 127.0.0.1 and [::1])',
  )
  readonly oidcIssuer: string = '';

  /** The audience of its tokens. */
  @Rule((audience, { oidcIssuer }: Settings) => audience !== '' || oidcIssuer === '', 'be set with OIDC_ISSUER')
  readonly oidcAudience: string = '';

  /** The claim that is compared with `externalId`. */
  @Rule(
    (claim: string) => /^[\w:/.-]{1,100}$/.test(claim) && !formats.CHOSEN_CLAIMS.includes(claim),
    `be the name of a claim that people cannot choose, such as sub or oid: not ${formats.CHOSEN_CLAIMS.join(', ')}`,
  )
  readonly oidcSubjectClaim: string = 'sub';

  /** Whether a token of somebody who has no User can create it. */
  @Flag() readonly oidcCreateUsers: boolean = false;

  /** Whether its address counts without `email_verified`. */
  @Flag() readonly oidcEmailTrusted: boolean = false;

  /** The company of such Users. */
  @Rule(
    (name: string, { oidcCreateUsers }: Settings) =>
      /^[^\p{Cc}\p{Cf}]{0,255}$/u.test(name) && (name.trim() !== '' || !oidcCreateUsers),
    'be a name of 1 to 255 visible characters, and set with OIDC_CREATE_USERS',
  )
  readonly oidcCompanyName: string = '';

  /** The client as which the pages log in at the provider, or `''`; and the scopes that it asks for. */
  @Rule(
    (id, { oidcAudience }: Settings) => id === '' || id !== oidcAudience,
    'differ from OIDC_AUDIENCE: ID tokens are for the client',
  )
  readonly oidcClientId: string = '';

  @Parsed(String) readonly oidcScope: string = 'openid';

  @Rule(
    (origins: readonly string[]) => origins.every(formats.isOrigin),
    'be origins like https://app.example.org, separated by commas, without a path, a slash at the end or *',
  )
  @List()
  readonly corsOrigins: readonly string[] = Object.freeze([]);

  @Rule(
    (trust) => typeof trust !== 'string' || trust.split(',').every(formats.isRange),
    'be true, false, the number of proxies (0 to 99), or addresses and CIDR ranges, separated by commas',
  )
  @Parsed(formats.trustedProxies)
  readonly trustProxy: boolean | number | string = false;

  /** The prefix of every path, of unreserved characters (RFC 3986 §2.3), or `''`. */
  @Rule(
    (path: string) => /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(path) && path.length <= 200,
    'be a path like /registry of A–Z, a–z, 0–9, ., _, ~ and -, without a slash at the end',
  )
  readonly basePath: string = '';

  /** Unset: `info`, with exceptions (pino-loggers.ts). */
  @IsOptional()
  @Word('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | undefined = undefined;

  @Whole(0, 600_000) readonly shutdownDelayMs: number = 0;
  @Flag() readonly catalog: boolean = true;
  @Flag() readonly docs: boolean = true;
  @Flag() readonly maintenance: boolean = false;
}

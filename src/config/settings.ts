/** The first Admin, made at the start when the registry has none (`ADMIN_USERNAME`, `ADMIN_EMAIL`, `ADMIN_PASSWORD`). */
export interface FirstAdminSettings {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** What `NODE_ENV` may say. */
export const ENVIRONMENTS = ['development', 'production', 'test'] as const;
/** One of them. */
export type Environment = (typeof ENVIRONMENTS)[number];

/** The levels of pino, from the most to the least severe; `silent` writes nothing. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** One of them. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * What the service was told by its environment, parsed and checked once at the start by `readSettings` and frozen.
 * The class is both the type and the token that Nest injects: `constructor(private readonly settings: Settings)`.
 */
export abstract class Settings {
  /** `NODE_ENV`: `development` (default), `production` or `test`. */
  abstract readonly environment: Environment;

  /** `PORT`: the TCP port of the API, 0 for any free one; default 3000. */
  abstract readonly port: number;

  /** `HOST`: the address to listen on; default 127.0.0.1, in production 0.0.0.0. */
  abstract readonly host: string;

  /** `MANAGEMENT_PORT`: the loopback port that serves `GET /metrics` in production, 0 for any free one; default 9090. */
  abstract readonly managementPort: number;

  /** `MONGODB_URI`: the database. `loadSettings` requires it. */
  abstract readonly mongodbUri: string | undefined;

  /** `DATA_DIR`: where the generated secret and the embedded database live, an absolute path; default `.data`. */
  abstract readonly dataDir: string;

  /**
   * `JWT_SECRET`: the keys of access tokens, each of at least 32 bytes. The first signs, all verify. Required in
   * production; elsewhere empty when not set: one is then generated into `dataDir` (see secret.ts).
   */
  abstract readonly jwtSecrets: readonly string[];

  /** `ADMIN_USERNAME`, `ADMIN_EMAIL`, `ADMIN_PASSWORD`: all three or none (default). */
  abstract readonly admin: FirstAdminSettings | undefined;

  /** `REGISTRATION`: who may create Users: an Admin (default), or anyone (`open`). Contract §4. */
  abstract readonly registration: 'admin' | 'open';

  /** `ORGANIZATION_CREATION`: who may create Organizations: every account (default), or only an Admin. Contract §4. */
  abstract readonly organizationCreation: 'accounts' | 'admin';

  /** `ACCESS_TOKEN_TTL`: the life of an access token in seconds, at most a day; default 900. */
  abstract readonly accessTokenTtl: number;

  /**
   * `REFRESH_TOKEN_TTL`: the life of a session after its last refresh in seconds, at most 90 days, the longest that a
   * session lives (contract §3); default 2592000.
   */
  abstract readonly refreshTokenTtl: number;

  /** `RATE_LIMIT_PER_MINUTE`: requests of one account, or of one address; 0 = off; default 3000. */
  abstract readonly rateLimitPerMinute: number;

  /**
   * `LOGIN_RATE_LIMIT_PER_MINUTE`: failed logins of one account name from one address; 0 = off, together with the wider
   * login limits (see src/limits/rate-limits.ts); default 10.
   */
  abstract readonly loginRateLimitPerMinute: number;

  /** `RATE_LIMIT_STORE`: where the counts are kept: `memory` (default), `mongodb`, or a Valkey/Redis URL. */
  abstract readonly rateLimitStore: string;

  /** `BODY_LIMIT`: the largest JSON body in bytes; default 65536 (contract §1.5). */
  abstract readonly bodyLimit: number;

  /** `CORS_ORIGINS`: the origins whose pages may call the service, as browsers send them; default none. */
  abstract readonly corsOrigins: readonly string[];

  /**
   * `TRUST_PROXY`: whose `X-Forwarded-*` headers count, as Fastify takes it: `true`, the number of proxies in front, or
   * a list of addresses and CIDR ranges; default false: nobody's.
   */
  abstract readonly trustProxy: boolean | string | number;

  /** `BASE_PATH`: what stands before every path when the service shares a host, `/registry`; default none, `''`. */
  abstract readonly basePath: string;

  /** `LOG_LEVEL`: the least severe level that is written; default `info`. */
  abstract readonly logLevel: LogLevel;

  /** `SHUTDOWN_GRACE_MS`: how long requests under way may take once the service was told to stop; default 10000. */
  abstract readonly shutdownGraceMs: number;

  /** `DOCS`: whether `GET /docs` and `GET /openapi.json` are served, `on` (default) or `off`. */
  abstract readonly docs: boolean;

  /** `MAINTENANCE`: while `on`, every operation answers 503 with code 1902 (contract §1.1); default `off`. */
  abstract readonly maintenance: boolean;
}

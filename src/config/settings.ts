/** The first Admin, created at startup when there is none (`ADMIN_USERNAME`, `ADMIN_EMAIL`, `ADMIN_PASSWORD`). */
export interface FirstAdminSettings {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export const ENVIRONMENTS = ['development', 'production', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The levels of pino, most severe first; `silent` writes nothing. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * The settings of the service, read from its environment, checked once at startup (src/start/load-settings.ts) and frozen.
 * The class is both the type and the token that Nest injects: `constructor(private readonly settings: Settings)`.
 */
export abstract class Settings {
  /** `NODE_ENV`: `development` (default), `production` or `test`. */
  abstract readonly environment: Environment;

  /** `PORT`: the TCP port of the API, 0 for any free port; default 3000. */
  abstract readonly port: number;

  /** `HOST`: the address to listen on; default 127.0.0.1, in production 0.0.0.0. */
  abstract readonly host: string;

  /** `MANAGEMENT_PORT`: the port of `GET /metrics` in production, 0 for any free port; default 9090. */
  abstract readonly managementPort: number;

  /** `MANAGEMENT_HOST`: the address that `GET /metrics` listens on in production; default 127.0.0.1. */
  abstract readonly managementHost: string;

  /** `MONGODB_URI`: the connection string of the database; required. */
  abstract readonly mongodbUri: string;

  /** `DATA_DIR`: the folder of the generated secret, as an absolute path; default `.data`. */
  abstract readonly dataDir: string;

  /** `JWT_SECRET`: the keys of access tokens; the first signs. Empty only outside production (see secret.ts). */
  abstract readonly jwtSecrets: readonly string[];

  /** `ADMIN_USERNAME`, `ADMIN_EMAIL`, `ADMIN_PASSWORD`: all three or none (default). */
  abstract readonly admin: FirstAdminSettings | undefined;

  /** `REGISTRATION`: who may create Users: Admins (default), or anyone (`open`). Contract §4. */
  abstract readonly registration: 'admin' | 'open';

  /** `ORGANIZATION_CREATION`: who may create Organizations: every account (default), or only Admins. Contract §4. */
  abstract readonly organizationCreation: 'accounts' | 'admin';

  /** `REGISTRATIONS_PER_HOUR`: Users that may be created from an address with open registration; 0 = off; default 20. */
  abstract readonly registrationsPerHour: number;

  /** `ORGANIZATIONS_PER_USER`: Organizations that somebody other than an Admin may have created; 0 = off; default 100. */
  abstract readonly organizationsPerUser: number;

  /** `ACCESS_TOKEN_TTL`: the lifetime of an access token in seconds, at most a day; default 900. */
  abstract readonly accessTokenTtl: number;

  /** `REFRESH_TOKEN_TTL`: the lifetime of a session after its last refresh in seconds; default 30 days, at most 90. */
  abstract readonly refreshTokenTtl: number;

  /** `RATE_LIMIT_PER_MINUTE`: requests per account, and per address; 0 = off; default 3000. */
  abstract readonly rateLimitPerMinute: number;

  /** `LOGIN_RATE_LIMIT_PER_MINUTE`: failed logins per account and address; 0 = no login limits; default 10. */
  abstract readonly loginRateLimitPerMinute: number;

  /** `RATE_LIMIT_STORE`: where requests and logins are counted: `memory` (default), `mongodb`, or a Valkey/Redis URL. */
  abstract readonly rateLimitStore: string;

  /** `MAX_CONNECTIONS`: how many connections the service accepts at the same time; default 10000. */
  abstract readonly maxConnections: number;

  /** `BODY_LIMIT`: the maximum size of a JSON body in bytes; default 65536 (contract §1.5). */
  abstract readonly bodyLimit: number;

  /** `CORS_ORIGINS`: the origins whose pages may call the service, in the form browsers send; default none. */
  abstract readonly corsOrigins: readonly string[];

  /** `TRUST_PROXY`: the proxies whose `X-Forwarded-*` headers are trusted, as Fastify's `trustProxy`; default none. */
  abstract readonly trustProxy: boolean | string | number;

  /** `BASE_PATH`: the prefix of every path when the service shares a host, like `/registry`; default none, `''`. */
  abstract readonly basePath: string;

  /** `LOG_LEVEL`: the least severe level to log; default `info`. */
  abstract readonly logLevel: LogLevel;

  /** `SHUTDOWN_DELAY_MS`: how long the service, not ready, accepts requests when it stops; default 0, in production 5000. */
  abstract readonly shutdownDelayMs: number;

  /** `SHUTDOWN_GRACE_MS`: how long requests may still take when the service stops; default 10000. */
  abstract readonly shutdownGraceMs: number;

  /** `DOCS`: whether `GET /docs` and `GET /openapi.json` are served, `on` (default) or `off`. */
  abstract readonly docs: boolean;

  /** `MAINTENANCE`: while `on`, every operation returns 503 with code 1902 (contract §1.1); default `off`. */
  abstract readonly maintenance: boolean;
}

import { resolve } from 'node:path';
import * as formats from './formats';
import { Variables } from './variables';

/** The first Admin, created at startup when there is none: all three variables or none. */
export interface FirstAdminSettings {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

type Values = Readonly<ReturnType<typeof readValues>>;

/**
 * The settings of the service (docs/operating.md), read once at startup (src/platform/operations/start/load-settings.ts) and frozen. The
 * class is both their type and the token that Nest injects: `constructor(private readonly settings: Settings)`.
 */
export abstract class Settings extends (Object as unknown as new () => Values) {
  abstract readonly admin: FirstAdminSettings | undefined;
}

const DAY = 24 * 60 * 60;
const PORTS = { min: 0, max: 65535 };
const COUNT = { min: 0, max: 1_000_000 };
const MILLISECONDS = { min: 0, max: 600_000 };

function readValues(variables: Variables) {
  const environment = variables.word('NODE_ENV', ['development', 'production', 'test'], 'development');
  const production = environment === 'production';
  return {
    environment,
    port: variables.integer('PORT', 3000, PORTS),
    host: variables.formatted('HOST', production ? '0.0.0.0' : '127.0.0.1', formats.host),
    /** Address of `GET /metrics` in production. */
    managementPort: variables.integer('MANAGEMENT_PORT', 9464, PORTS),
    managementHost: variables.formatted('MANAGEMENT_HOST', '127.0.0.1', formats.host),
    mongodbUri: variables.formatted('MONGODB_URI', '', formats.mongodbUri),
    /** An absolute path. */
    dataDir: resolve(variables.text('DATA_DIR') ?? '.data'),
    /** The keys of access tokens; the first signs. Empty only outside production (see secret.ts). */
    jwtSecrets: variables.formatted('JWT_SECRET', Object.freeze([]), formats.secrets),
    /** Who may read the catalog of public APIs (RFC 9727) without login. */
    apiCatalog: variables.word('API_CATALOG', ['off', 'public'], 'off'),
    /** Rights to create Users and Organizations. */
    registration: variables.word('REGISTRATION', ['admin', 'open'], 'admin'),
    /** Which Users an account that is not an Admin may list, search and read: all, or only its own. */
    userDirectory: variables.word('USER_DIRECTORY', ['accounts', 'admins'], 'accounts'),
    organizationCreation: variables.word('ORGANIZATION_CREATION', ['accounts', 'admin'], 'accounts'),
    /** Per address with open registration; 0 = off. */
    registrationsPerHour: variables.integer('REGISTRATIONS_PER_HOUR', 20, COUNT),
    /** Organizations that somebody other than an Admin may have created; 0 = off. */
    organizationsPerUser: variables.integer('ORGANIZATIONS_PER_USER', 100, COUNT),
    eventRetentionDays: variables.integer('EVENT_RETENTION_DAYS', 400, { min: 0, max: 36_500 }),
    /** In seconds. A session lasts that of the refresh token after its last refresh. */
    accessTokenTtl: variables.integer('ACCESS_TOKEN_TTL', 900, { min: 1, max: DAY }),
    refreshTokenTtl: variables.integer('REFRESH_TOKEN_TTL', 30 * DAY, { min: 1, max: 90 * DAY }),
    /** Per account, and per address; 0 = off. */
    rateLimitPerMinute: variables.integer('RATE_LIMIT_PER_MINUTE', 3000, COUNT),
    /** Failed logins per account and address; 0 = no login limits. */
    loginRateLimitPerMinute: variables.integer('LOGIN_RATE_LIMIT_PER_MINUTE', 10, COUNT),
    /** `memory`, or the URL of a Valkey or Redis server. */
    rateLimitStore: variables.formatted('RATE_LIMIT_STORE', 'memory', formats.store),
    maxConnections: variables.integer('MAX_CONNECTIONS', 10_000, { ...COUNT, min: 1 }),
    /** The maximum size of a JSON body in bytes (contract §1.5). */
    bodyLimit: variables.integer('BODY_LIMIT', 65536, { min: 1024, max: 1_048_576 }),
    ...readProvider(variables),
    corsOrigins: variables.formatted('CORS_ORIGINS', Object.freeze([]), formats.origins),
    trustProxy: variables.formatted('TRUST_PROXY', false, formats.trustProxy),
    /** The prefix of every path, like `/registry`, or `''`. */
    basePath: variables.formatted('BASE_PATH', '', formats.basePath),
    logLevel: variables.word('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    shutdownDelayMs: variables.integer('SHUTDOWN_DELAY_MS', production ? 5000 : 0, MILLISECONDS),
    shutdownGraceMs: variables.integer('SHUTDOWN_GRACE_MS', 10_000, MILLISECONDS),
    docs: variables.flag('DOCS', 'on'),
    /** Whom people ask, on `GET /`; or `''`. */
    contact: variables.formatted('CONTACT', '', formats.contact),
    maintenance: variables.flag('MAINTENANCE', 'off'),
  };
}

/** The settings of the identity provider. */
function readProvider(variables: Variables) {
  return {
    /** The identity provider whose tokens are credentials, and whom they must be for; both `''` without one. */
    oidcIssuer: variables.formatted('OIDC_ISSUER', '', formats.issuer),
    oidcAudience: variables.text('OIDC_AUDIENCE') ?? '',
    /** The claim that is compared with `externalId`. */
    oidcSubjectClaim: variables.formatted('OIDC_SUBJECT_CLAIM', 'sub', formats.subjectClaim),
    /** Whether a token of somebody who has no User can create it, and the claims that it is made from. */
    oidcCreateUsers: variables.flag('OIDC_CREATE_USERS', 'off'),
    oidcUsernameClaim: variables.formatted('OIDC_USERNAME_CLAIM', 'preferred_username', formats.claim),
    oidcEmailClaim: variables.formatted('OIDC_EMAIL_CLAIM', 'email', formats.claim),
    /** Whether the address counts without `email_verified`. */
    oidcEmailTrusted: variables.flag('OIDC_EMAIL_TRUSTED', 'off'),
    /** The claim with the company, or `''`; and the company of tokens without it, or `''`. */
    oidcCompanyClaim: variables.formatted('OIDC_COMPANY_CLAIM', '', formats.claim),
    oidcCompanyName: variables.formatted('OIDC_COMPANY_NAME', '', formats.companyName),
    /** The client as which Swagger UI logs in at the provider, or `''`; and the scopes that it asks for. */
    oidcClientId: variables.text('OIDC_CLIENT_ID') ?? '',
    oidcScope: variables.text('OIDC_SCOPE') ?? 'openid',
  };
}

/**
 * Reads all settings but the first Admin, whose rules are those of Users, and reports to `variables` what is wrong. The
 * database is always required; in production so are a secret and two different ports.
 */
export function readSettings(variables: Variables): Values {
  const settings = readValues(variables);
  const { environment, port, managementPort, mongodbUri } = settings;
  const production = environment === 'production';
  if (variables.text('MONGODB_URI') === undefined) {
    const start = production ? '' : ', or run `npm start`, which starts a database for you';
    variables.missing('MONGODB_URI', `it must be ${formats.mongodbUri.expected}${start}`);
  }
  const problem = mongodbUri && formats.mongodbUriProblem(mongodbUri);
  if (problem) variables.invalid('MONGODB_URI', problem, { secret: true });
  if (settings.registration === 'open' && variables.text('USER_DIRECTORY') === undefined) {
    const modes = 'let everybody who registers see all usernames and companies (accounts), or Admins only (admins)';
    variables.missing('USER_DIRECTORY', `with REGISTRATION=open, choose: ${modes}`);
  }
  checkProvider(variables, settings);
  if (!production) return settings;
  if (variables.text('JWT_SECRET') === undefined) {
    variables.missing('JWT_SECRET', `it must be at least ${formats.MIN_SECRET_BYTES} bytes long`);
  }
  if (port !== 0 && port === managementPort) variables.invalid('MANAGEMENT_PORT', 'it must differ from PORT');
  return settings;
}

/** Reports settings of the identity provider that do not fit together. */
function checkProvider(variables: Variables, { oidcCreateUsers: createsUsers }: Values): void {
  const [issuer, audience, clientId] = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_CLIENT_ID'].map((name) =>
    variables.text(name),
  );
  const needing = [audience && 'OIDC_AUDIENCE', clientId && 'OIDC_CLIENT_ID', createsUsers && 'OIDC_CREATE_USERS'];
  const first = needing.find(Boolean);
  if (issuer === undefined && first) variables.missing('OIDC_ISSUER', `${first} needs it`);
  if (issuer !== undefined && audience === undefined) variables.missing('OIDC_AUDIENCE', 'OIDC_ISSUER needs it');
  if (clientId !== undefined && clientId === audience) {
    variables.invalid('OIDC_CLIENT_ID', 'it must differ from OIDC_AUDIENCE: ID tokens are for the client');
  }
  if (createsUsers) checkCreateUsers(variables);
}

/** Reports what must be decided before everybody at the provider can have a User. */
function checkCreateUsers(variables: Variables): void {
  const isSet = (name: string): boolean => variables.text(name) !== undefined;
  if (!isSet('OIDC_COMPANY_CLAIM') && !isSet('OIDC_COMPANY_NAME'))
    variables.missing('OIDC_COMPANY_NAME', 'OIDC_CREATE_USERS needs it, or OIDC_COMPANY_CLAIM');
  if (!isSet('ORGANIZATION_CREATION')) {
    const choice = 'accounts, so everybody at the provider may create Organizations, or admin';
    variables.missing('ORGANIZATION_CREATION', `OIDC_CREATE_USERS needs it: ${choice}`);
  }
}

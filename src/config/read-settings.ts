import { resolve } from 'node:path';
import { readFirstAdmin } from './first-admin';
import {
  MIN_SECRET_BYTES,
  parseBasePath,
  parseHost,
  parseMongodbUri,
  parseOrigins,
  parseSecrets,
  parseStore,
  parseTrustProxy,
} from './parsers';
import { Environment, ENVIRONMENTS, LOG_LEVELS, Settings } from './settings';
import { Variables } from './variables';

const DAY = 24 * 60 * 60;
const PORT = { min: 0, max: 65535 };
const PER_MINUTE = { min: 0, max: 1_000_000 };

const mongodbUri = { wanted: 'a connection string, mongodb://host:27017/roster', secret: true };
const jwtSecret = {
  wanted: `a secret of at least ${MIN_SECRET_BYTES} bytes, or several, comma-separated, the first of which signs`,
  secret: true,
};

/**
 * Reads the settings (see settings.ts for each) from an environment.
 * @param env variables by name, `process.env` as a rule
 * @returns the settings, frozen
 * @throws SettingsError that names every problem at once
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = new Variables(env);
  const environment = read.word('NODE_ENV', ENVIRONMENTS, 'development');
  const settings: Settings = {
    environment,
    ...readServer(read, environment),
    ...readData(read),
    ...readAccess(read),
    ...readLimits(read),
    ...readRunning(read),
  };
  if (environment === 'production') demandForProduction(read, settings);
  read.settle();
  return Object.freeze(settings);
}

type Part<K extends keyof Settings> = Pick<Settings, K>;

function readServer(
  read: Variables,
  environment: Environment,
): Part<'port' | 'host' | 'managementPort' | 'trustProxy' | 'basePath' | 'corsOrigins'> {
  const host = environment === 'production' ? '0.0.0.0' : '127.0.0.1';
  return {
    port: read.integer('PORT', { default: 3000, ...PORT }),
    host: read.parsed('HOST', host, parseHost, { wanted: 'an IP address or a host name' }),
    managementPort: read.integer('MANAGEMENT_PORT', { default: 9090, ...PORT }),
    trustProxy: read.parsed('TRUST_PROXY', false, parseTrustProxy, {
      wanted: 'true, false, the number of proxies (0 to 99), or a comma-separated list of addresses and CIDR ranges',
    }),
    basePath: read.parsed('BASE_PATH', '', parseBasePath, {
      wanted: 'a path like /registry of A–Z, a–z, 0–9, ., _, ~ and -, without a slash at the end',
    }),
    corsOrigins: Object.freeze(
      read.parsed('CORS_ORIGINS', [], parseOrigins, {
        wanted: 'comma-separated origins like https://app.example.org, without a path, a slash at the end or *',
      }),
    ),
  };
}

function readData(read: Variables): Part<'mongodbUri' | 'dataDir' | 'rateLimitStore' | 'bodyLimit'> {
  return {
    mongodbUri: read.parsed('MONGODB_URI', undefined, parseMongodbUri, mongodbUri),
    dataDir: resolve(read.text('DATA_DIR') ?? '.data'),
    rateLimitStore: read.parsed('RATE_LIMIT_STORE', 'memory', parseStore, {
      wanted: 'memory, mongodb, or the URL of a Valkey or Redis server, redis://host:6379',
    }),
    bodyLimit: read.integer('BODY_LIMIT', { default: 65536, min: 1024, max: 1_048_576 }),
  };
}

function readAccess(
  read: Variables,
): Part<'jwtSecrets' | 'admin' | 'registration' | 'organizationCreation' | 'accessTokenTtl' | 'refreshTokenTtl'> {
  return {
    jwtSecrets: Object.freeze(read.parsed('JWT_SECRET', [], parseSecrets, jwtSecret)),
    admin: readFirstAdmin(read),
    registration: read.word('REGISTRATION', ['admin', 'open'], 'admin'),
    organizationCreation: read.word('ORGANIZATION_CREATION', ['accounts', 'admin'], 'accounts'),
    accessTokenTtl: read.integer('ACCESS_TOKEN_TTL', { default: 900, min: 1, max: DAY }),
    refreshTokenTtl: read.integer('REFRESH_TOKEN_TTL', { default: 30 * DAY, min: 1, max: 90 * DAY }),
  };
}

function readLimits(read: Variables): Part<'rateLimitPerMinute' | 'loginRateLimitPerMinute'> {
  return {
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', { default: 3000, ...PER_MINUTE }),
    loginRateLimitPerMinute: read.integer('LOGIN_RATE_LIMIT_PER_MINUTE', { default: 10, ...PER_MINUTE }),
  };
}

function readRunning(read: Variables): Part<'logLevel' | 'shutdownGraceMs' | 'docs' | 'maintenance'> {
  return {
    logLevel: read.word('LOG_LEVEL', LOG_LEVELS, 'info'),
    shutdownGraceMs: read.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 }),
    docs: read.flag('DOCS', true),
    maintenance: read.flag('MAINTENANCE', false),
  };
}

/** What has a default for trying things out and none that production could run with. */
function demandForProduction(read: Variables, settings: Settings): void {
  if (read.text('MONGODB_URI') === undefined) read.missing('MONGODB_URI', mongodbUri);
  if (read.text('JWT_SECRET') === undefined) read.missing('JWT_SECRET', jwtSecret);
  if (settings.port !== 0 && settings.port === settings.managementPort) {
    read.wrong('MANAGEMENT_PORT', { wanted: 'another port than PORT' });
  }
}

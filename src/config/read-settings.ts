import { resolve } from 'node:path';
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

const mongodbUri = {
  parse: parseMongodbUri,
  expected: 'a connection string like mongodb://host:27017/roster',
  secret: true,
};
const jwtSecret = {
  parse: parseSecrets,
  expected: `at least ${MIN_SECRET_BYTES}, or several such secrets, separated by commas`,
  secret: true,
};

/**
 * Reads all settings but the first Admin (see settings.ts for each), and reports what is wrong to `variables`.
 * For complete settings see src/load-settings.ts.
 */
export function readSettings(variables: Variables): Omit<Settings, 'admin'> {
  const environment = variables.word('NODE_ENV', ENVIRONMENTS, 'development');
  const settings: Omit<Settings, 'admin'> = {
    environment,
    ...readServer(variables, environment),
    ...readData(variables, environment),
    ...readAccess(variables),
    ...readLimits(variables),
    ...readOperation(variables),
  };
  if (environment === 'production') checkProduction(variables, settings);
  return settings;
}

function readServer(variables: Variables, environment: Environment) {
  const host = environment === 'production' ? '0.0.0.0' : '127.0.0.1';
  return {
    port: variables.integer('PORT', { default: 3000, ...PORT }),
    host: variables.parsed('HOST', host, { parse: parseHost, expected: 'an IP address or a host name' }),
    managementPort: variables.integer('MANAGEMENT_PORT', { default: 9090, ...PORT }),
    trustProxy: variables.parsed('TRUST_PROXY', false, {
      parse: parseTrustProxy,
      expected: 'true, false, the number of proxies (0 to 99), or addresses and CIDR ranges, separated by commas',
    }),
    basePath: variables.parsed('BASE_PATH', '', {
      parse: parseBasePath,
      expected: 'a path like /registry of A–Z, a–z, 0–9, ., _, ~ and -, without a slash at the end',
    }),
    corsOrigins: variables.parsed('CORS_ORIGINS', Object.freeze([]), {
      parse: parseOrigins,
      expected: 'origins like https://app.example.org, separated by commas, without a path, a slash at the end or *',
    }),
  };
}

function readData(variables: Variables, environment: Environment) {
  if (variables.text('MONGODB_URI') === undefined) {
    const start = environment === 'production' ? '' : ', or run `npm start`, which starts a database for you';
    variables.missing('MONGODB_URI', `it must be ${mongodbUri.expected}${start}`);
  }
  return {
    mongodbUri: variables.parsed('MONGODB_URI', '', mongodbUri),
    dataDir: resolve(variables.text('DATA_DIR') ?? '.data'),
    rateLimitStore: variables.parsed('RATE_LIMIT_STORE', 'memory', {
      parse: parseStore,
      expected: 'memory, mongodb, or the URL of a Valkey or Redis server like redis://host:6379',
    }),
    bodyLimit: variables.integer('BODY_LIMIT', { default: 65536, min: 1024, max: 1_048_576 }),
  };
}

function readAccess(variables: Variables) {
  return {
    jwtSecrets: variables.parsed('JWT_SECRET', Object.freeze([]), jwtSecret),
    registration: variables.word('REGISTRATION', ['admin', 'open'], 'admin'),
    organizationCreation: variables.word('ORGANIZATION_CREATION', ['accounts', 'admin'], 'accounts'),
    accessTokenTtl: variables.integer('ACCESS_TOKEN_TTL', { default: 900, min: 1, max: DAY }),
    refreshTokenTtl: variables.integer('REFRESH_TOKEN_TTL', { default: 30 * DAY, min: 1, max: 90 * DAY }),
  };
}

function readLimits(variables: Variables) {
  return {
    rateLimitPerMinute: variables.integer('RATE_LIMIT_PER_MINUTE', { default: 3000, ...PER_MINUTE }),
    loginRateLimitPerMinute: variables.integer('LOGIN_RATE_LIMIT_PER_MINUTE', { default: 10, ...PER_MINUTE }),
  };
}

function readOperation(variables: Variables) {
  return {
    logLevel: variables.word('LOG_LEVEL', LOG_LEVELS, 'info'),
    shutdownGraceMs: variables.integer('SHUTDOWN_GRACE_MS', { default: 10_000, min: 0, max: 600_000 }),
    docs: variables.flag('DOCS', true),
    maintenance: variables.flag('MAINTENANCE', false),
  };
}

function checkProduction(variables: Variables, { port, managementPort }: Omit<Settings, 'admin'>): void {
  if (variables.text('JWT_SECRET') === undefined) {
    variables.missing('JWT_SECRET', `it must be at least ${MIN_SECRET_BYTES} bytes long`);
  }
  if (port !== 0 && port === managementPort) variables.invalid('MANAGEMENT_PORT', 'it must differ from PORT');
}

import { resolve } from 'node:path';
import { basePath, host, MIN_SECRET_BYTES, mongodbUri, origins, secrets, store, trustProxy } from './formats';
import { mongodbUriProblem } from './mongodb-options';
import { ENVIRONMENTS, LOG_LEVELS, Settings } from './settings';
import { Variables } from './variables';

const DAY = 24 * 60 * 60;
const PORTS = { min: 0, max: 65535 };
const COUNT = { min: 0, max: 1_000_000 };

/** Reads all settings but the first Admin (src/start/load-settings.ts adds it), and reports what is wrong to `variables`. */
export function readSettings(variables: Variables): Omit<Settings, 'admin'> {
  const environment = variables.word('NODE_ENV', ENVIRONMENTS, 'development');
  const production = environment === 'production';
  const settings: Omit<Settings, 'admin'> = {
    environment,
    port: variables.integer('PORT', 3000, PORTS),
    host: variables.formatted('HOST', production ? '0.0.0.0' : '127.0.0.1', host),
    managementPort: variables.integer('MANAGEMENT_PORT', 9090, PORTS),
    managementHost: variables.formatted('MANAGEMENT_HOST', '127.0.0.1', host),
    mongodbUri: variables.formatted('MONGODB_URI', '', mongodbUri),
    dataDir: resolve(variables.text('DATA_DIR') ?? '.data'),
    jwtSecrets: variables.formatted('JWT_SECRET', Object.freeze([]), secrets),
    registration: variables.word('REGISTRATION', ['admin', 'open'], 'admin'),
    organizationCreation: variables.word('ORGANIZATION_CREATION', ['accounts', 'admin'], 'accounts'),
    registrationsPerHour: variables.integer('REGISTRATIONS_PER_HOUR', 20, COUNT),
    organizationsPerUser: variables.integer('ORGANIZATIONS_PER_USER', 100, COUNT),
    accessTokenTtl: variables.integer('ACCESS_TOKEN_TTL', 900, { min: 1, max: DAY }),
    refreshTokenTtl: variables.integer('REFRESH_TOKEN_TTL', 30 * DAY, { min: 1, max: 90 * DAY }),
    rateLimitPerMinute: variables.integer('RATE_LIMIT_PER_MINUTE', 3000, COUNT),
    loginRateLimitPerMinute: variables.integer('LOGIN_RATE_LIMIT_PER_MINUTE', 10, COUNT),
    rateLimitStore: variables.formatted('RATE_LIMIT_STORE', 'memory', store),
    maxConnections: variables.integer('MAX_CONNECTIONS', 10_000, { ...COUNT, min: 1 }),
    bodyLimit: variables.integer('BODY_LIMIT', 65536, { min: 1024, max: 1_048_576 }),
    corsOrigins: variables.formatted('CORS_ORIGINS', Object.freeze([]), origins),
    trustProxy: variables.formatted('TRUST_PROXY', false, trustProxy),
    basePath: variables.formatted('BASE_PATH', '', basePath),
    logLevel: variables.word('LOG_LEVEL', LOG_LEVELS, 'info'),
    shutdownDelayMs: variables.integer('SHUTDOWN_DELAY_MS', production ? 5000 : 0, { min: 0, max: 600_000 }),
    shutdownGraceMs: variables.integer('SHUTDOWN_GRACE_MS', 10_000, { min: 0, max: 600_000 }),
    docs: variables.flag('DOCS', 'on'),
    maintenance: variables.flag('MAINTENANCE', 'off'),
  };
  checkRequired(variables, settings);
  return settings;
}

/** The database is always required; in production so are a secret and two different ports. */
function checkRequired(variables: Variables, settings: Omit<Settings, 'admin'>): void {
  const { environment, port, managementPort } = settings;
  const production = environment === 'production';
  if (variables.text('MONGODB_URI') === undefined) {
    const start = production ? '' : ', or run `npm start`, which starts a database for you';
    variables.missing('MONGODB_URI', `it must be ${mongodbUri.expected}${start}`);
  }
  const problem = settings.mongodbUri && mongodbUriProblem(settings.mongodbUri);
  if (problem) variables.invalid('MONGODB_URI', `the driver says: ${problem}`, { secret: true });
  if (!production) return;
  if (variables.text('JWT_SECRET') === undefined) {
    variables.missing('JWT_SECRET', `it must be at least ${MIN_SECRET_BYTES} bytes long`);
  }
  if (port !== 0 && port === managementPort) variables.invalid('MANAGEMENT_PORT', 'it must differ from PORT');
}

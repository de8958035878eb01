import { readSettings } from './read-settings';
import { SettingsError } from './settings-error';

const secret = 's'.repeat(32);
const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://db:27017/roster', JWT_SECRET: secret };

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('readSettings', () => {
  it('gives the documented defaults for an empty environment', () => {
    expect(readSettings({})).toEqual({
      environment: 'development',
      port: 3000,
      host: '127.0.0.1',
      managementPort: 9090,
      mongodbUri: undefined,
      dataDir: expect.stringMatching(/^\/.*\.data$/),
      jwtSecrets: [],
      admin: undefined,
      registration: 'admin',
      organizationCreation: 'accounts',
      accessTokenTtl: 900,
      refreshTokenTtl: 2592000,
      rateLimitPerMinute: 3000,
      loginRateLimitPerMinute: 10,
      rateLimitStore: 'memory',
      bodyLimit: 65536,
      corsOrigins: [],
      trustProxy: false,
      basePath: '',
      logLevel: 'info',
      shutdownGraceMs: 10000,
      docs: true,
      maintenance: false,
    });
  });

  it('cannot be changed afterwards', () => {
    const settings = readSettings({ CORS_ORIGINS: 'https://a.example' });
    expect([settings, settings.corsOrigins, settings.jwtSecrets].every(Object.isFrozen)).toBe(true);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readSettings({ PORT: '', JWT_SECRET: '', ADMIN_EMAIL: '' })).toEqual(readSettings({}));
  });

  it('listens on every address in production', () => {
    expect(readSettings(production).host).toBe('0.0.0.0');
  });

  it('names every problem at once, one line each, with what was given and what is wanted', () => {
    const problems = problemsOf({ NODE_ENV: 'staging', PORT: '70000', DOCS: 'yes', LOG_LEVEL: 'loud\nly' });
    expect(problems).toEqual([
      'NODE_ENV: "staging" was given; wanted: one of development, production, test',
      'PORT: "70000" was given; wanted: a whole number from 0 to 65535',
      'LOG_LEVEL: "loud\\nly" was given; wanted: one of fatal, error, warn, info, debug, trace, silent',
      'DOCS: "yes" was given; wanted: one of on, off',
    ]);
    expect(new SettingsError(problems).message.split('\n')).toHaveLength(4);
  });

  it('demands a database and a secret in production, and two different ports', () => {
    const problems = problemsOf({ NODE_ENV: 'production', PORT: '9090' });
    expect(problems.map((line) => line.split(':')[0])).toEqual(['MONGODB_URI', 'JWT_SECRET', 'MANAGEMENT_PORT']);
  });

  it.each([
    ['JWT_SECRET', 'short-secret'],
    ['MONGODB_URI', 'postgres://someone:pa55@host/'],
    ['RATE_LIMIT_STORE', 'http://someone:pa55@host/'],
    ['CORS_ORIGINS', 'https://someone:pa55@host'],
  ])('never shows what was given where a secret may be: %s', (name, value) => {
    const [line] = problemsOf({ [name]: value });
    expect(line).toContain(`${name}: a value of ${value.length} bytes`);
    expect(line).not.toMatch(/short|pa55/);
  });

  it.each(['10x', '1e3', ' 5', '5 ', '-1', '+1', '0x10', '1.0', '٣', '99999999999999999999'])(
    'refuses %j where a whole number is wanted',
    (given) => {
      expect(problemsOf({ PORT: given })).toHaveLength(1);
      expect(problemsOf({ RATE_LIMIT_PER_MINUTE: given })).toHaveLength(1);
    },
  );

  it.each([
    ['PORT', '0', '65535', ['65536']],
    ['ACCESS_TOKEN_TTL', '1', '86400', ['0', '86401']],
    ['REFRESH_TOKEN_TTL', '1', '7776000', ['0', '7776001']],
    ['BODY_LIMIT', '1024', '1048576', ['1023', '1048577']],
    ['SHUTDOWN_GRACE_MS', '0', '600000', ['600001']],
  ])('bounds %s', (name, min, max, outside) => {
    expect(problemsOf({ [name]: min })).toEqual([]);
    expect(problemsOf({ [name]: max })).toEqual([]);
    for (const given of outside) expect(problemsOf({ [name]: given })).toHaveLength(1);
  });
});

describe('readSettings, value by value', () => {
  const cases: Record<string, { right: string[]; wrong: string[] }> = {
    HOST: { right: ['::1', '10.0.0.1', 'localhost', 'a-b.example'], wrong: ['a b', '1.2.3', '-a', 'http://a', 'a_b'] },
    JWT_SECRET: { right: [secret, `${secret},${secret}x`], wrong: ['s'.repeat(31), `${secret},short`, `${secret},`] },
    MONGODB_URI: {
      right: [
        'mongodb://127.0.0.1',
        'mongodb://u:p%40@a:1,b:2/roster?replicaSet=rs0',
        'mongodb+srv://c.example/',
        'mongodb://[::1]:27017',
      ],
      wrong: ['mongodb://', 'localhost:27017', 'http://a', 'mongodb://a:99999', 'mongodb://a,', 'mongodb://a b'],
    },
    RATE_LIMIT_STORE: {
      right: ['memory', 'mongodb', 'redis://a', 'valkeys://u:p@a:6380/1'],
      wrong: ['Memory', 'redis', 'redis://', 'http://a'],
    },
    CORS_ORIGINS: {
      right: ['https://a.example', 'http://localhost:5173, https://b.example'],
      wrong: ['*', 'https://*.a.example', 'https://a/', 'https://a/x', 'https://a:443', 'a.example', 'null', 'ftp://a'],
    },
    TRUST_PROXY: {
      right: ['true', 'false', '0', '2', 'loopback', '10.0.0.0/8, ::1', 'fd00::/8'],
      wrong: ['yes', '1e1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0', 'a.example', '::1/129', '1,'],
    },
    BASE_PATH: { right: ['/x', '/x/y-1'], wrong: ['/', 'x', '/x/', '//x', '/x/../y', '/.', '/ü', '/a b', '/:id'] },
    REGISTRATION: { right: ['admin', 'open'], wrong: ['Open', 'accounts'] },
    ORGANIZATION_CREATION: { right: ['accounts', 'admin'], wrong: ['open'] },
    MAINTENANCE: { right: ['on', 'off'], wrong: ['true', '1', 'ON'] },
  };

  for (const [name, { right, wrong }] of Object.entries(cases)) {
    it.each(right)(`${name} may be %j`, (given) => expect(problemsOf({ [name]: given })).toEqual([]));
    it.each(wrong)(`${name} may not be %j`, (given) => {
      expect(problemsOf({ [name]: given })).toEqual([expect.stringMatching(`^${name}: `)]);
    });
  }

  it('reads lists and switches into what the code uses', () => {
    const settings = readSettings({
      JWT_SECRET: `${secret}, ${secret}2`,
      CORS_ORIGINS: 'https://a.example,https://b.example:8443',
      TRUST_PROXY: '2',
      MAINTENANCE: 'on',
      DOCS: 'off',
    });
    expect(settings).toMatchObject({
      jwtSecrets: [secret, `${secret}2`],
      corsOrigins: ['https://a.example', 'https://b.example:8443'],
      trustProxy: 2,
      maintenance: true,
      docs: false,
    });
    expect(readSettings({ TRUST_PROXY: '0' }).trustProxy).toBe(false);
    expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toBe('10.0.0.0/8,::1');
  });
});

describe('readSettings, the first Admin', () => {
  const admin = { ADMIN_USERNAME: 'root-1', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };

  it('is read from the three variables', () => {
    expect(readSettings(admin).admin).toEqual({
      username: 'root-1',
      email: 'root@example.org',
      password: 'correct horse',
    });
  });

  it('is all three or none', () => {
    const problems = problemsOf({ ADMIN_EMAIL: admin.ADMIN_EMAIL });
    expect(problems.map((line) => line.split(':')[0])).toEqual(['ADMIN_USERNAME', 'ADMIN_PASSWORD']);
  });

  it.each([
    ['ADMIN_USERNAME', ['ab', '_abc', '-abc', 'a b c', 'ünï', 'a'.repeat(31)]],
    ['ADMIN_EMAIL', ['root', '@example.org', 'root@', 'a b@c', `a@${'b'.repeat(253)}`]],
    ['ADMIN_PASSWORD', ['s3cr3t!', '€'.repeat(129), 'Password123']],
  ])('has a right %s', (name, wrong) => {
    for (const given of wrong) {
      const problems = problemsOf({ ...admin, [name]: given });
      expect(problems).toEqual([expect.stringMatching(`^${name}: `)]);
      if (name === 'ADMIN_PASSWORD') expect(problems[0]).not.toContain(given);
    }
  });

  it('counts the password in code points', () => {
    expect(problemsOf({ ...admin, ADMIN_PASSWORD: '😀x'.repeat(64) })).toEqual([]);
    expect(problemsOf({ ...admin, ADMIN_PASSWORD: '😀'.repeat(7) })).toEqual([
      'ADMIN_PASSWORD: a value of 28 bytes, not shown here, was given; wanted: one that must be at least 8 characters long',
    ]);
  });
});

import { settingsFrom } from './load-settings';
import { settingsWith } from '../../../../test/support/settings';

const secret = 's'.repeat(32);
const production = { NODE_ENV: 'production', JWT_SECRET: secret };

/** What is wrong with the variables of an environment that has a database. */
function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    settingsFrom({ MONGODB_URI: 'mongodb://a', ...env });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('the settings', () => {
  it('have defaults if they are not set or empty; in production the service listens on every address', () => {
    const dataDir: unknown = expect.stringMatching(/^\/.*\.data$/);
    const others = { basePath: '', jwtSecret: [], corsOrigins: [], host: '127.0.0.1', shutdownDelayMs: 0 };
    expect(settingsWith({ PORT: '', JWT_SECRET: '' })).toMatchObject({ port: 3000, dataDir, ...others });
    expect(settingsWith(production)).toMatchObject({ host: '0.0.0.0', shutdownDelayMs: 5000 });
  });

  it('list every problem on a line of its own, with the value and what it must be', () => {
    expect(problemsOf({ NODE_ENV: 'staging', PORT: '70000', DOCS: 'yes', LOG_LEVEL: 'loud\nly' })).toEqual([
      'NODE_ENV is "staging"; it must be one of development, production, test',
      'PORT is "70000"; it must be a whole number from 0 to 65535',
      'LOG_LEVEL is "loud\\nly"; it must be one of fatal, error, warn, info, debug, trace, silent',
      'DOCS is "yes"; it must be one of on, off',
    ]);
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ MONGODB_URI: '' }, /^MONGODB_URI is not set; it must be .* or run `npm start`/],
    [{ NODE_ENV: 'production' }, /^JWT_SECRET is not set; it must be at least 32 bytes long/],
    [{ ...production, PORT: '9464' }, /^MANAGEMENT_PORT is not set \(default: 9464\); it must differ from PORT$/],
    [{ REGISTRATION: 'open' }, /^USER_DIRECTORY is not set; it must be one of accounts, admins$/],
    [{ OIDC_ISSUER: 'https://id.example' }, /^OIDC_AUDIENCE is not set; it must be set with OIDC_ISSUER$/],
    [{ OIDC_AUDIENCE: 'roster' }, /^OIDC_ISSUER is not set/],
    [{ OIDC_CLIENT_ID: 'swagger-ui' }, /^OIDC_ISSUER is not set/],
  ])('name what is missing with %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)]);
  });

  it('name what must be decided before everybody at the provider can have a User', () => {
    const provider = { OIDC_ISSUER: 'https://id.example/realms/x', OIDC_AUDIENCE: 'roster', OIDC_CREATE_USERS: 'on' };
    const missing = [
      expect.stringMatching(/^ORGANIZATION_CREATION is not/),
      expect.stringMatching(/^OIDC_COMPANY_NAME/),
    ];
    expect(problemsOf(provider)).toEqual(missing);
    expect(problemsOf({ ...provider, OIDC_COMPANY_NAME: 'Engines', ORGANIZATION_CREATION: 'admin' })).toEqual([]);
  });

  it.each([
    ['JWT_SECRET', 'short-pa55'],
    ['ADMIN_PASSWORD', 'pa55'],
    ['MONGODB_URI', 'postgres://someone:pa55@host/'],
    ['MONGODB_URI', 'mongodb://someone:pa55@host/roster?retries=1'],
    ['MONGODB_URI', 'mongodb://someone:pa55%zz@host/roster'],
    ['MONGODB_URI', 'mongodb://someone:pa55/@@host'],
    ['RATE_LIMIT_STORE', 'redis://roster:12/pa55@host:6379'],
    ['CORS_ORIGINS', 'https://someone:pa55@host'],
  ])('never show a value that can contain a secret: %s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toEqual([expect.stringContaining(`${name} is ${value.length} bytes long (not shown); it must `)]);
    expect(problems[0]).not.toMatch(/someone|pa55/);
  });

  it.each<[string, string[], string[]]>([
    ['PORT', ['0', '65535'], ['10x', '-1', '1.5', '99999999999999999999']],
    ['HOST', ['::1', '10.0.0.1', 'localhost', 'a-b.example'], ['a b', '1.2.3', '-a', 'http://a', 'a_b']],
    ['JWT_SECRET', [secret, `${secret}, ${secret}x`], ['s'.repeat(31), `${secret},short`, `${secret},`]],
    [
      'MONGODB_URI',
      ['mongodb://u:p%40@a:1,b:2/roster?replicaSet=rs0', 'mongodb+srv://c.example/', 'mongodb://[::1]:27017'],
      [
        'mongodb://',
        'localhost:27017',
        'http://a',
        'mongodb://a:99999',
        'mongodb://a/a.b',
        `mongodb://a/${'x'.repeat(64)}`,
      ],
    ],
    [
      'RATE_LIMIT_STORE',
      ['memory', 'redis://a', 'valkeys://u:p@a:6380/1'],
      ['Memory', 'redis', 'redis://', 'http://a'],
    ],
    [
      'CORS_ORIGINS',
      ['https://a.example', 'http://localhost:5173, https://b.example'],
      ['*', 'https://*.a.example', 'https://a/', 'https://a/x', 'https://a:443', 'a.example', 'null', 'ftp://a'],
    ],
    [
      'TRUST_PROXY',
      ['true', 'false', '0', '2', 'loopback', '10.0.0.0/8, ::1', 'fd00::/8'],
      ['yes', '1e1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0', 'a.example', '::1/129', '1,'],
    ],
    ['BASE_PATH', ['/x', '/x/y-1'], ['/', 'x', '/x/', '//x', '/x/../y', '/.', '/ü', '/a b', '/:id']],
    ['OIDC_COMPANY_NAME', ['Cogs & Sons', '李', 'x'.repeat(255)], ['\u200b', 'a\u202eb', 'a\nb', 'x'.repeat(256)]],
    ['OIDC_SUBJECT_CLAIM', ['oid', 'https://a.example/id'], ['email', 'a b', 'x'.repeat(101)]],
    ['ADMIN_PASSWORD', ['correct horse'], ['s3cr3t!', '😀'.repeat(7), '€'.repeat(129), 'Password123']],
  ])('%s may be each of %j, and none of %j', (name, right, wrong) => {
    for (const given of right) expect([given, ...problemsOf({ [name]: given })]).toEqual([given]);
    for (const given of wrong) {
      const problems = [given, ...problemsOf({ [name]: given })];
      expect(problems).toEqual([given, expect.stringMatching(`^${name} is `)]);
    }
  });

  it.each([
    ['OIDC_ISSUER', 'http://id.example'],
    ['OIDC_ISSUER', 'https://id.example/?x'],
    ['OIDC_CLIENT_ID', 'roster'],
  ])('of an identity provider are not %s=%s', (name, value) => {
    const provider = { OIDC_ISSUER: 'http://localhost:8080', OIDC_AUDIENCE: 'roster', OIDC_CLIENT_ID: 'swagger-ui' };
    expect(problemsOf(provider)).toEqual([]);
    expect(problemsOf({ ...provider, [name]: value })).toEqual([expect.stringMatching(`^${name} is `)]);
  });

  it('have lists and flags, and are frozen', () => {
    const lists = { JWT_SECRET: `${secret}, ${secret}2`, CORS_ORIGINS: 'https://a.example,https://b.example:8443' };
    const settings = settingsWith({ ...lists, TRUST_PROXY: '10.0.0.0/8, ::1', MAINTENANCE: 'on', DOCS: 'off' });
    expect(settings).toMatchObject({ jwtSecret: [secret, `${secret}2`], trustProxy: '10.0.0.0/8,::1' });
    expect(settings).toMatchObject({ maintenance: true, docs: false });
    for (const frozen of [settings, settings.corsOrigins]) expect(Object.isFrozen(frozen)).toBe(true);
    expect(['0', '2', 'true'].map((given) => settingsWith({ TRUST_PROXY: given }).trustProxy)).toEqual([
      false,
      2,
      true,
    ]);
  });
});

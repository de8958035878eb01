import { readSettings, Settings } from './settings';
import { Variables } from './variables';

const secret = 's'.repeat(32);
const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://db:27017/roster', JWT_SECRET: secret };

/** The variables of an environment that has a database. */
const variablesOf = (env: NodeJS.ProcessEnv): Variables => new Variables({ MONGODB_URI: 'mongodb://a', ...env });
const read = (env: NodeJS.ProcessEnv): Omit<Settings, 'admin'> => readSettings(variablesOf(env));

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const variables = variablesOf(env);
  readSettings(variables);
  return variables.problems;
}

describe('readSettings', () => {
  it('has defaults for what is not set or empty; in production it listens on every address', () => {
    const dataDir: unknown = expect.stringMatching(/^\/.*\.data$/);
    const others = { basePath: '', jwtSecrets: [], corsOrigins: [] };
    expect(read({ PORT: '', JWT_SECRET: '' })).toMatchObject({ port: 3000, dataDir, ...others });
    expect(read(production)).toMatchObject({ host: '0.0.0.0', managementHost: '127.0.0.1' });
  });

  it('lists every problem on a line of its own, with the value and what it must be', () => {
    expect(problemsOf({ NODE_ENV: 'staging', PORT: '70000', DOCS: 'yes', LOG_LEVEL: 'loud\nly' })).toEqual([
      'NODE_ENV is "staging"; it must be one of development, production, test',
      'PORT is "70000"; it must be a whole number from 0 to 65535',
      'LOG_LEVEL is "loud\\nly"; it must be one of fatal, error, warn, info, debug, trace, silent',
      'DOCS is "yes"; it must be one of on, off',
    ]);
  });

  it('requires a database, outside production with advice, and in production a secret and two ports', () => {
    const line = 'MONGODB_URI is not set; it must be a connection string like mongodb://host:27017/roster';
    const advice = `${line}, or run \`npm start\`, which starts a database for you`;
    expect(problemsOf({ MONGODB_URI: '' })).toEqual([advice]);
    expect(problemsOf({ NODE_ENV: 'production', PORT: '9464', MONGODB_URI: '' })).toEqual([
      line,
      'JWT_SECRET is not set; it must be at least 32 bytes long',
      'MANAGEMENT_PORT is ""; it must differ from PORT',
    ]);
  });

  it('requires with open registration that somebody chooses who sees the Users, and says why', () => {
    const [line, ...others] = problemsOf({ REGISTRATION: 'open', USER_DIRECTORY: '' });
    expect(others).toEqual([]);
    expect(line).toMatch(/^USER_DIRECTORY is not set; with REGISTRATION=open, .* \(accounts\), .* \(admins\)$/);
    for (const userDirectory of ['accounts', 'admins'] as const)
      expect(read({ REGISTRATION: 'open', USER_DIRECTORY: userDirectory })).toMatchObject({ userDirectory });
    expect(read({})).toMatchObject({ registration: 'admin', userDirectory: 'accounts' });
    expect(problemsOf({ REGISTRATION: 'open', USER_DIRECTORY: 'all' })).toEqual([
      'USER_DIRECTORY is "all"; it must be one of accounts, admins',
    ]);
  });

  it.each([
    ['JWT_SECRET', 'short-secret'],
    ['MONGODB_URI', 'postgres://someone:pa55@host/'],
    ['RATE_LIMIT_STORE', 'http://someone:pa55@host/'],
    ['RATE_LIMIT_STORE', 'redis://roster:12/pa55@host:6379'],
    ['RATE_LIMIT_STORE', 'redis://roster:12#pa55@host:6379'],
    ['CORS_ORIGINS', 'https://someone:pa55@host'],
  ])('never shows a value that can contain a secret: %s', (name, value) => {
    const [line] = problemsOf({ [name]: value });
    expect(line).toMatch(new RegExp(`^${name} is ${value.length} bytes long \\(not shown\\); it must be `));
    expect(line).not.toMatch(/short|pa55/);
  });

  it.each([
    ['mongodb://someone:pa55@host/roster?retries=1', 'option retries is not supported'],
    ['mongodb://someone:pa55@host/roster?maxPoolSize=many', 'Expected maxPoolSize to be'],
    ['mongodb://someone:pa55%zz@host/roster', 'the username and password must be percent-encoded'],
  ])('reports what the driver says about a connection string, without its login: %s', (uri, message) => {
    const [line] = problemsOf({ MONGODB_URI: uri });
    expect(line).toContain(`MONGODB_URI is ${uri.length} bytes long (not shown); the driver says: ${message}`);
    expect(line).not.toMatch(/someone|pa55/);
  });

  it.each(['a.b', 'a%20b', 'a$b', 'a/b', 'a%5Cb', 'a%22b', '%00a', 'ü'.repeat(32)])(
    'reports a database name that MongoDB refuses: %s',
    (name) => {
      const uri = `mongodb://someone:pa55@host/${name}`;
      const rule = 'its database name must have at most 63 bytes, and no space and none of / \\ . " $';
      const length = Buffer.byteLength(uri);
      expect(problemsOf({ MONGODB_URI: uri })).toEqual([`MONGODB_URI is ${length} bytes long (not shown); ${rule}`]);
    },
  );

  const notWhole = ['10x', '1e3', ' 5', '5 ', '-1', '+1', '0x10', '1.0', '٣', '99999999999999999999'];
  it.each<[string, string[], string[]]>([
    ['PORT', ['0', '65535'], notWhole],
    ['MANAGEMENT_HOST', ['::1', '0.0.0.0'], ['a b', '1.2.3']],
    ['HOST', ['::1', '10.0.0.1', 'localhost', 'a-b.example'], ['a b', '1.2.3', '-a', 'http://a', 'a_b']],
    ['JWT_SECRET', [secret, `${secret},${secret}x`], ['s'.repeat(31), `${secret},short`, `${secret},`]],
    [
      'MONGODB_URI',
      [
        'mongodb://127.0.0.1',
        'mongodb://u:p%40@a:1,b:2/roster?replicaSet=rs0',
        'mongodb+srv://c.example/',
        `mongodb://a/${'x'.repeat(61)}%C3%BC`,
        'mongodb://[::1]:27017',
      ],
      ['mongodb://', 'localhost:27017', 'http://a', 'mongodb://a:99999', 'mongodb://a,', 'mongodb://a b'],
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
    ['OIDC_USERNAME_CLAIM', ['upn', 'https://a.example/name'], ['a b', 'a"', 'x'.repeat(101)]],
    [
      'OIDC_COMPANY_NAME',
      ['Cogs & Sons', '李', ' x ', 'x'.repeat(255)],
      [' ', '\u200b', 'a\u202eb', 'a\nb', 'x'.repeat(256)],
    ],
    ['BASE_PATH', ['/x', '/x/y-1'], ['/', 'x', '/x/', '//x', '/x/../y', '/.', '/ü', '/a b', '/:id']],
  ])('%s may be each of %j, and none of %j', (name, right, wrong) => {
    for (const given of right) expect([given, ...problemsOf({ [name]: given })]).toEqual([given]);
    for (const given of wrong) {
      const problems = [given, ...problemsOf({ [name]: given })];
      expect(problems).toEqual([given, expect.stringMatching(`^${name} is `)]);
    }
  });

  const issuer = { OIDC_ISSUER: 'https://id.example/realms/x', OIDC_AUDIENCE: 'roster' };
  const creates = { OIDC_CREATE_USERS: 'on', OIDC_COMPANY_NAME: 'Engines', ORGANIZATION_CREATION: 'admin' };
  it.each<[NodeJS.ProcessEnv, string | undefined]>([
    [issuer, undefined],
    [{ ...issuer, OIDC_CLIENT_ID: 'swagger-ui', OIDC_SUBJECT_CLAIM: 'oid' }, undefined],
    [{ ...issuer, OIDC_ISSUER: 'http://localhost:8080' }, undefined],
    [{ ...issuer, OIDC_ISSUER: 'http://id.example' }, 'OIDC_ISSUER is "http://id.example"; it must be an https URL'],
    [
      { ...issuer, OIDC_ISSUER: 'https://id.example/?x' },
      'OIDC_ISSUER is "https://id.example/?x"; it must be an https',
    ],
    [{ ...issuer, OIDC_ISSUER: 'id.example' }, 'OIDC_ISSUER is "id.example"; it must be an https URL'],
    [{ OIDC_ISSUER: issuer.OIDC_ISSUER }, 'OIDC_AUDIENCE is not set; OIDC_ISSUER needs it'],
    [{ OIDC_AUDIENCE: 'roster' }, 'OIDC_ISSUER is not set; OIDC_AUDIENCE needs it'],
    [{ OIDC_CLIENT_ID: 'swagger-ui' }, 'OIDC_ISSUER is not set; OIDC_CLIENT_ID needs it'],
    [{ ...issuer, OIDC_CLIENT_ID: 'roster' }, 'OIDC_CLIENT_ID is "roster"; it must differ from OIDC_AUDIENCE'],
    [{ ...issuer, OIDC_SUBJECT_CLAIM: 'email' }, 'OIDC_SUBJECT_CLAIM is "email"; it must be the name of a claim'],
    [{ ...issuer, ...creates }, undefined],
    [{ ...issuer, ...creates, OIDC_COMPANY_NAME: '', OIDC_COMPANY_CLAIM: 'company' }, undefined],
    [{ ...issuer, ...creates, OIDC_COMPANY_CLAIM: 'company' }, undefined],
    [creates, 'OIDC_ISSUER is not set; OIDC_CREATE_USERS needs it'],
    [
      { ...issuer, ...creates, OIDC_COMPANY_NAME: '' },
      'OIDC_COMPANY_NAME is not set; OIDC_CREATE_USERS needs it, or OIDC_COMPANY_CLAIM',
    ],
    [
      { ...issuer, ...creates, ORGANIZATION_CREATION: '' },
      'ORGANIZATION_CREATION is not set; OIDC_CREATE_USERS needs it: accounts, so everybody',
    ],
    [{ ...issuer, OIDC_SUBJECT_CLAIM: 'a b' }, 'OIDC_SUBJECT_CLAIM is "a b"; it must be the name of a claim'],
  ])('of an identity provider fit together: %j', (env, problem) => {
    expect(problemsOf(env)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });

  it('parses lists and flags', () => {
    const lists = { JWT_SECRET: `${secret}, ${secret}2`, CORS_ORIGINS: 'https://a.example,https://b.example:8443' };
    expect(read({ ...lists, TRUST_PROXY: '2', MAINTENANCE: 'on', DOCS: 'off' })).toMatchObject({
      jwtSecrets: [secret, `${secret}2`],
      corsOrigins: ['https://a.example', 'https://b.example:8443'],
      trustProxy: 2,
      maintenance: true,
      docs: false,
    });
    expect(read({ TRUST_PROXY: '0' }).trustProxy).toBe(false);
    expect(read({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toBe('10.0.0.0/8,::1');
  });
});

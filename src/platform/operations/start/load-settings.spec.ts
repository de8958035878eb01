import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, settingsFrom } from './load-settings';

const MONGODB_URI = 'mongodb://a';
const ADMIN = { ADMIN_USERNAME: 'root-1', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };

test('settingsFrom returns frozen settings', () => {
  const settings = settingsFrom({ MONGODB_URI, CORS_ORIGINS: 'https://a.example', ...ADMIN });
  expect(settings.admin).toEqual({ username: 'root-1', email: 'root@example.org', password: 'correct horse' });
  for (const frozen of [settings, settings.admin, settings.corsOrigins, settings.jwtSecrets])
    expect(Object.isFrozen(frozen)).toBe(true);
});

describe('The first Admin of the settings', () => {
  it('needs all three variables or none', () => {
    const [first, second] = ['ADMIN_USERNAME', 'ADMIN_PASSWORD'].map(
      (name) => `${name} is not set; set ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD, or none`,
    );
    const { ADMIN_EMAIL } = ADMIN;
    expect(() => settingsFrom({ MONGODB_URI, ADMIN_EMAIL })).toThrow(new Error(`${first}\n${second}`));
  });

  it.each([
    ['ADMIN_USERNAME', ['ab', '_abc', '-abc', 'a b c', 'ünï', 'a'.repeat(31)], /^ADMIN_USERNAME is .*; it .*$/],
    ['ADMIN_EMAIL', ['root', '@example.org', 'root@', 'a b@c', `a@${'b'.repeat(253)}`], /^ADMIN_EMAIL is .*; it .*$/],
    [
      'ADMIN_PASSWORD',
      ['s3cr3t!', '😀'.repeat(7), '€'.repeat(129), 'Password123'],
      /^ADMIN_PASSWORD is \d+ bytes long \(not shown\); it .*$/,
    ],
  ])('has the %s of a User', (name, wrong, problem) => {
    for (const given of wrong) expect(() => settingsFrom({ MONGODB_URI, ...ADMIN, [name]: given })).toThrow(problem);
  });
});

describe('loadSettings', () => {
  const { env } = process;
  const root = process.cwd();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roster-settings-'));
    process.chdir(folder);
    process.env = { MONGODB_URI };
  });
  afterEach(() => {
    process.chdir(root);
    process.env = env;
    rmSync(folder, { recursive: true });
  });

  it('reads .env, over which the environment takes precedence, and keeps it out of the environment', () => {
    writeFileSync('.env', '# comment\nPORT=4000\nHOST="::1"\nexport LOG_LEVEL=warn\n');
    process.env.PORT = '5000';
    expect(loadSettings()).toMatchObject({ port: 5000, host: '::1', logLevel: 'warn' });
    expect(process.env).toEqual({ MONGODB_URI, PORT: '5000' });
  });

  it('does not need a .env, and ignores it in tests', () => {
    expect(loadSettings().port).toBe(3000);
    writeFileSync('.env', 'PORT=4000');
    process.env.NODE_ENV = 'test';
    expect(loadSettings().port).toBe(3000);
  });
});

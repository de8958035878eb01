import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, settingsFrom } from './load-settings';

const MONGODB_URI = 'mongodb://a';

test('settingsFrom returns frozen settings', () => {
  const admin = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };
  const settings = settingsFrom({ MONGODB_URI, CORS_ORIGINS: 'https://a.example', ...admin });
  expect(settings.admin).toEqual({ username: 'root', email: 'root@example.org', password: 'correct horse' });
  for (const frozen of [settings, settings.admin, settings.corsOrigins, settings.jwtSecrets])
    expect(Object.isFrozen(frozen)).toBe(true);
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

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from './config/start-error';
import { loadSettings, settingsFrom } from './load-settings';

const MONGODB_URI = 'mongodb://a';

describe('settingsFrom', () => {
  it('returns frozen settings', () => {
    const env = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@example.org', ADMIN_PASSWORD: 'correct horse' };
    const settings = settingsFrom({ MONGODB_URI, ...env });
    expect(settings.admin).toEqual({ username: 'root', email: 'root@example.org', password: 'correct horse' });
    expect([settings, settings.admin].every(Object.isFrozen)).toBe(true);
  });

  it('lists all problems together, those of the first Admin too', () => {
    const list = (): unknown => settingsFrom({ PORT: 'x', ADMIN_USERNAME: 'root' });
    expect(list).toThrow(SettingsError);
    expect(list).toThrow(/^PORT is .*\nMONGODB_URI is .*\nADMIN_EMAIL is .*\nADMIN_PASSWORD is .*$/);
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

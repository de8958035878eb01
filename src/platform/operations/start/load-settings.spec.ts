import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from './load-settings';

const MONGODB_URI = 'mongodb://a';
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

it('a start reads .env, over which the environment takes precedence, and keeps it out of the environment', () => {
  writeFileSync('.env', '# comment\nPORT=4000\nHOST="::1"\nexport LOG_LEVEL=warn\n');
  process.env.PORT = '5000';
  expect(loadSettings()).toMatchObject({ port: 5000, host: '::1', logLevel: 'warn' });
  expect(process.env).toEqual({ MONGODB_URI, PORT: '5000' });
});

it('a start does not need a .env, and a test ignores it', () => {
  expect(loadSettings().port).toBe(3000);
  writeFileSync('.env', 'PORT=4000');
  process.env.NODE_ENV = 'test';
  expect(loadSettings().port).toBe(3000);
});

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsWith } from '../../../../test/support/settings';
import { jwtSecrets } from './secret';
import { Settings } from './settings';

describe('jwtSecrets', () => {
  let directory: string;
  let settings: Settings;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'roster-secret-'));
    settings = settingsWith({ DATA_DIR: join(directory, 'data') });
  });

  afterEach(() => rm(directory, { recursive: true }));

  it('generates a secret that only the owner can read, and finds it again', async () => {
    const [secret = ''] = await jwtSecrets(settings);
    const file = join(settings.dataDir, 'jwt-secret');
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(`${secret}\n`);
    expect(await jwtSecrets(settings)).toEqual([secret]);
  });

  it('returns the same secret to parallel starts, and leaves no draft', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => jwtSecrets(settings)));
    expect(new Set(all.flat()).size).toBe(1);
    expect(await readdir(settings.dataDir)).toEqual(['jwt-secret']);
  });
});

import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { MIN_SECRET_BYTES } from './parsers';
import { Settings } from './settings';
import { SettingsError } from './settings-error';

/**
 * The keys of access tokens: those of `JWT_SECRET`, or, outside production, one that is generated into
 * `<dataDir>/jwt-secret` and read again on the next start, so that sessions outlive a restart.
 * @returns at least one; the first signs, all verify
 * @throws SettingsError when production has none, or the file holds less than 32 bytes
 */
export async function jwtSecrets(settings: Settings): Promise<readonly string[]> {
  if (settings.jwtSecrets.length > 0) return settings.jwtSecrets;
  if (settings.environment === 'production') throw new SettingsError(['JWT_SECRET: it is not set']);
  const file = join(settings.dataDir, 'jwt-secret');
  const secret = (await read(file)) ?? (await create(settings.dataDir, file));
  if (Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return [secret];
  throw new SettingsError([
    `JWT_SECRET: ${file} holds less than ${MIN_SECRET_BYTES} bytes; delete it to get a new one`,
  ]);
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Written beside and linked into place: a crash leaves no half secret, and of two starts at once the second finds the
 * name taken and uses the first one's.
 */
async function create(directory: string, file: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeDurably(draft, `${randomBytes(48).toString('base64url')}\n`);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await read(file)) ?? '';
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

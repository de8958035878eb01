import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { chmod, link, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { MIN_SECRET_BYTES } from './formats';
import { Settings } from './settings';
import { StartError } from '../errors/start-error';

/**
 * The keys of access tokens; the first signs, all verify. Outside production, without `JWT_SECRET`, one is generated
 * into `<dataDir>/jwt-secret` and read from there by the next start, so sessions outlive a restart.
 * @throws StartError when the folder cannot be created, or the file holds less than 32 bytes
 */
export async function jwtSecrets(settings: Settings): Promise<readonly string[]> {
  if (settings.jwtSecrets.length > 0) return settings.jwtSecrets;
  const file = join(settings.dataDir, 'jwt-secret');
  if (!existsSync(file)) await create(settings.dataDir, file);
  else await restrictPermissions(file);
  const secret = (await readFile(file, 'utf8')).trim();
  if (Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return [secret];
  throw new StartError(
    `JWT_SECRET is not set, and ${file} holds less than ${MIN_SECRET_BYTES} bytes; delete that file to get a new secret`,
  );
}

/** Whoever can read the secret can make tokens for everyone. */
async function restrictPermissions(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  await chmod(file, 0o600);
  new Logger('Settings').warn(
    `Other users of this machine could read ${file}; now only you can. If one may have, delete it: all log in again.`,
  );
}

/**
 * Writes a draft and links it to its final name: a crash leaves no partial secret, and when two processes start at the
 * same time, the second one's link fails and it uses the secret of the first.
 */
async function create(directory: string, file: string): Promise<void> {
  createFolder(directory);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(48).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
}

/** Creates the data folder if it is missing, for this user only. */
function createFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `The folder ${path} cannot be created (${code}). Choose another one with DATA_DIR.`;
    throw new StartError(message, { cause });
  }
}

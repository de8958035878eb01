import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIN_SECRET_BYTES } from './formats';
import { Settings } from './settings';
import { StartError } from '../errors/start-error';

/**
 * The keys of access tokens; the first signs, all verify. Outside production, without `JWT_SECRET`, one is generated
 * into `<dataDir>/jwt-secret` and read from there by the next start, so sessions outlive a restart.
 * @throws StartError when the folder cannot be created, or the file holds less than 32 bytes
 */
export async function jwtSecrets(settings: Settings): Promise<readonly string[]> {
  if (settings.jwtSecret.length > 0) return settings.jwtSecret;
  const file = join(settings.dataDir, 'jwt-secret');
  if (!existsSync(file)) await create(settings.dataDir, file);
  const secret = (await readFile(file, 'utf8')).trim();
  if (Buffer.byteLength(secret) >= MIN_SECRET_BYTES) return [secret];
  throw new StartError(
    `JWT_SECRET is not set, and ${file} holds less than ${MIN_SECRET_BYTES} bytes; delete that file to get a new secret`,
  );
}

/**
 * Writes a draft and links it to its final name: a crash leaves no partial secret, and when two processes start at the
 * same time, the second one's link fails and it uses the secret of the first.
 */
async function create(directory: string, file: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    const problem = `The folder ${directory} cannot be created (${cause.code}).`;
    throw new StartError(`${problem} Choose another one with DATA_DIR.`, { cause });
  });
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

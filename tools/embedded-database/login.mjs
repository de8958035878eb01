import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const USER = 'roster';

/**
 * @param {string} [password] none for a daemon that asks for no login
 * @returns {string} an address for mongoose. The server calls itself a member of a replica set, which transactions need;
 *   a direct connection skips discovery
 */
export function uriOf(port, password) {
  const login = password ? `${USER}:${password}@` : '';
  const options = password ? 'directConnection=true&authSource=admin' : 'directConnection=true';
  return `mongodb://${login}127.0.0.1:${port}/roster?${options}`;
}

/** @returns {string | undefined} the password; undefined before `createLogin` */
export function readPassword(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Gives the database its user, with a new password.
 *
 * @param {number} port of a daemon that asks for no login
 * @param {string} file where the password is stored, once it holds
 */
export async function createLogin(port, file) {
  const draft = `${file}.draft`;
  const pwd = randomBytes(24).toString('base64url');
  writeFileSync(draft, `${pwd}\n`, { mode: 0o600, flush: true });
  // Not at the top: these scripts are loaded before the packages are installed.
  const { default: mongoose } = await import('mongoose');
  const connection = await mongoose.createConnection(uriOf(port)).asPromise();
  try {
    const admin = connection.getClient().db('admin');
    // There is one already when an earlier start was killed before it stored the password.
    await admin.command({ dropUser: USER }).catch(() => undefined);
    await admin.command({ createUser: USER, pwd, roles: ['root'] });
  } finally {
    await connection.close();
  }
  renameSync(draft, file);
}

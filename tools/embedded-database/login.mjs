import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const USER = 'roster';

/** An address for mongoose: a direct connection, without a password for a daemon that asks for no login. */
export function uriOf(port, password) {
  const login = password ? `${USER}:${password}@` : '';
  const options = password ? 'directConnection=true&authSource=admin' : 'directConnection=true';
  return `mongodb://${login}127.0.0.1:${port}/roster?${options}`;
}

/** @returns {string | undefined} the password; undefined before `createLogin` */
export function readPassword(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Gives the database, which asks for no login yet, its user, with a new password in the file. */
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

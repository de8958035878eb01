import { hash, Options, verify } from '@node-rs/argon2';

/** argon2id with 19 MiB, two passes, one lane: OWASP's first recommendation (Password Storage Cheat Sheet). */
const PARAMETERS: Options = {
  algorithm: 2, // the enum is a const one, which isolated modules cannot read
  memoryCost: 19 * 1024,
  timeCost: 2,
  parallelism: 1,
};

/** How a hash with the current parameters begins. */
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

/** The hash of a random password, with the current parameters. */
export const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$Iqop8wOWifNeSlxioN7sqQ$IQFaKYoDFSOIxLr5qaN1VNJxqm8v8xD4fialhq+y2kw';

/** The hash to store of a password (NFC). Hashing needs tens of milliseconds on its own thread; not for transactions. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** Whether the password is the one that was hashed. */
export function isPassword(password: string, passwordHash: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** Does the work of a comparison for a login of an unknown account, so timing reveals nothing (contract §4). */
export async function compareWithDecoy(password: string): Promise<false> {
  await isPassword(password, DECOY);
  return false;
}

/** Whether a hash was made with parameters other than the current ones. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(CURRENT);
}

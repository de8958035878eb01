import { dictionary } from '@zxcvbn-ts/language-common';
import { caseFold } from '../case-fold';

/** The fewest code points a password may have (contract §3, User). */
export const MIN_PASSWORD_LENGTH = 8;

/**
 * The passwords that attackers try first (NIST SP 800-63B §3.1.1.2): about 18,000 of zxcvbn's list, those that are long
 * enough to be allowed otherwise.
 */
const common = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_LENGTH).map(caseFold),
);

/** Whether `password` is a common one, ignoring case. */
export function isCommonPassword(password: string): boolean {
  return common.has(caseFold(password));
}

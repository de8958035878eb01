import { dictionary } from '@zxcvbn-ts/language-common';
import { caseFold } from '../case-fold';

/** The fewest code points of a password (contract §3, User). */
export const MIN_PASSWORD_LENGTH = 8;

/**
 * The passwords that attackers try first (NIST SP 800-63B §3.1.1.2): those of zxcvbn's list that are long enough to be
 * asked about, some 18,000.
 */
const common = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_LENGTH).map(caseFold),
);

/** Whether `password` is a common one, without regard to case. */
export function isCommonPassword(password: string): boolean {
  return common.has(caseFold(password));
}

import { FirstAdmin } from './settings';
import { Variables } from './variables';

const username = /^[A-Za-z0-9][A-Za-z0-9_-]{2,29}$/;
const email = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+$/u;
const password = { min: 8, max: 128 };

const variables = ['ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const;

/**
 * Reads the first Admin by the rules of a User (contract §3). Whether the password is a common one is judged where the
 * record is made, like that of every User.
 * @returns undefined when none of the three variables is set, or when one cannot be used (which is noted)
 */
export function readFirstAdmin(read: Variables): FirstAdmin | undefined {
  if (variables.every((name) => read.text(name) === undefined)) return undefined;
  const admin = {
    username: required(read, 'ADMIN_USERNAME', isUsername, {
      wanted: '3 to 30 characters of A–Z, a–z, 0–9, _ and -, not starting with - or _',
    }),
    email: required(read, 'ADMIN_EMAIL', isEmail, { wanted: 'an e-mail address of at most 254 characters' }),
    password: required(read, 'ADMIN_PASSWORD', isPassword, {
      wanted: `${password.min} to ${password.max} characters`,
      secret: true,
    }),
  };
  return Object.freeze(admin);
}

function required(
  read: Variables,
  name: (typeof variables)[number],
  usable: (given: string) => boolean,
  description: { wanted: string; secret?: boolean },
): string {
  const given = read.text(name);
  const together = `${description.wanted} (${variables.join(', ')} are set together)`;
  if (given === undefined) read.missing(name, { wanted: together });
  else if (!usable(given)) read.wrong(name, description);
  return given ?? '';
}

function isUsername(given: string): boolean {
  return username.test(given);
}

function isEmail(given: string): boolean {
  return email.test(given) && [...given].length <= 254;
}

function isPassword(given: string): boolean {
  const length = [...given.normalize('NFC')].length;
  return length >= password.min && length <= password.max;
}

import { dictionary } from '@zxcvbn-ts/language-common';
import { IsString } from 'class-validator';
import { caseFold } from '../../base/text/case-fold';
import { field, type Presence, reports, TextRule } from './field';
import { lengthRules } from './text-fields';

/** The fewest and the most code points a password may have. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/**
 * The longest text that is normalized (UTF-16 units): 8 KiB of combining marks take 0.1 s. NFC joins at most four code
 * points into one, so a longer one is too long anyway, or an ASCII token.
 */
const MAX_NORMALIZED = 8 * MAX_LENGTH;

/** The passwords that attackers try first (NIST SP 800-63B §3.1.1.2): about 18,000 of zxcvbn's list. */
const common = new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH).map(caseFold));

/** A password to be set: 8–128 code points, any characters, and not easy to guess (5014). */
export function Password(presence: Presence<string> = {}): PropertyDecorator {
  const isNoName = (password: string, dto: object): boolean => !namesOf(dto).includes(caseFold(password));
  return secret(presence, MIN_LENGTH, MAX_LENGTH, [
    TextRule('tooCommon', (password) => !common.has(caseFold(password))),
    TextRule('tooCommon', (password) => new Set(password).size > 1, 'must not repeat one character'),
    TextRule('tooCommon', isNoName, 'must not be the username, e-mail address or company name'),
  ]);
}

/** A secret that is compared, not set: a password at login, a refresh token. Its length keeps hashing cheap. */
export function PresentedSecret(presence: Presence<string> & { max?: number } = {}): PropertyDecorator {
  return secret(presence, 1, presence.max ?? MAX_LENGTH);
}

function secret(presence: Presence<string>, min: number, max: number, rules: PropertyDecorator[] = []) {
  return field({
    presence,
    // Never trimmed (contract §1.6).
    normalize: (value) =>
      typeof value === 'string' && value.length <= MAX_NORMALIZED ? value.normalize('NFC') : value,
    validators: [
      IsString(reports('wrongType', 'must be a string')),
      TextRule('blank', (text) => text !== ''),
      // A lone surrogate has no UTF-8 form, so it cannot be hashed; all other characters are allowed.
      TextRule('forbiddenCharacters', (text) => text.isWellFormed()),
      ...lengthRules(min, max),
      ...rules,
    ],
    schema: { type: String, format: 'password', minLength: min, maxLength: max },
  });
}

/** The names in a user's fields. Longer ones are invalid and equal no password, and folding them takes time. */
function namesOf(dto: { username?: unknown; email?: unknown; companyName?: unknown }): string[] {
  const names = [dto.username, dto.email, dto.companyName].filter((name) => typeof name === 'string');
  return names.filter((name) => name.length <= 1024).map(caseFold);
}

import { dictionary } from '@zxcvbn-ts/language-common';
import { IsString } from 'class-validator';
import { caseFold } from '../case-fold';
import { codePointLength } from '../text';
import { field, type Presence, reports, TextRule } from './field';

/** The fewest and the most code points a password may have (contract §3, User). */
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/** The passwords that attackers try first (NIST SP 800-63B §3.1.1.2): about 18,000 of zxcvbn's list. */
const common = new Set(dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH).map(caseFold));

/** A password to be set: 8–128 code points, any characters, and not easy to guess (contract §3, User; 5014). */
export function Password(presence: Presence<string> = {}): PropertyDecorator {
  const isNoName = (password: string, dto: object): boolean => !namesOf(dto).includes(caseFold(password));
  return field({
    presence,
    normalize,
    validators: [
      ...secretValidators(MAX_LENGTH),
      TextRule('tooShort', (text) => codePointLength(text) >= MIN_LENGTH, 'must be at least 8 characters long'),
      TextRule('tooCommon', (password) => !common.has(caseFold(password))),
      TextRule('tooCommon', (password) => new Set(password).size > 1, 'must not repeat one character'),
      TextRule('tooCommon', isNoName, 'must not be the username, e-mail address or company name'),
    ],
    schema: { type: String, format: 'password', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
  });
}

/**
 * A secret that is compared, not set: the password at login, `currentPassword`, a refresh token. Its length is limited
 * to keep hashing cheap.
 */
export function PresentedSecret({
  max = MAX_LENGTH,
  ...presence
}: Presence<string> & { max?: number } = {}): PropertyDecorator {
  return field({
    presence,
    normalize,
    validators: secretValidators(max),
    schema: { type: String, format: 'password', minLength: 1, maxLength: max },
  });
}

/** NFC and never trimmed (contract §1.6). A text that is too long anyway stays: normalizing it can take half a second. */
function normalize(value: unknown): unknown {
  return typeof value === 'string' && value.length <= 8192 ? value.normalize('NFC') : value;
}

/** A lone surrogate has no UTF-8 form, so it cannot be hashed; all other characters are allowed. */
function secretValidators(max: number): PropertyDecorator[] {
  return [
    IsString(reports('wrongType', 'must be a string')),
    TextRule('blank', (secret) => secret !== ''),
    TextRule('forbiddenCharacters', (secret) => secret.isWellFormed()),
    TextRule('tooLong', (secret) => codePointLength(secret) <= max, `must be at most ${max} characters long`),
  ];
}

/** The names in a user's fields. Longer ones are invalid and equal no password, and folding them takes time. */
function namesOf(dto: { username?: unknown; email?: unknown; companyName?: unknown }): string[] {
  const names = [dto.username, dto.email, dto.companyName].filter((name) => typeof name === 'string');
  return names.filter((name) => name.length <= 1024).map(caseFold);
}

import { IsString } from 'class-validator';
import { caseFold } from '../case-fold';
import { codePointLength } from '../text';
import { isCommonPassword, MIN_PASSWORD_LENGTH } from './common-passwords';
import { field, type Presence, reports, TextRule } from './field';

/** The most code points a password may have (contract §3, User). */
const MAX_PASSWORD_LENGTH = 128;

/** A password to be set: 8–128 code points, any characters, and not easy to guess (contract §3, User; 5014). */
export function Password(presence: Presence<string> = {}): PropertyDecorator {
  const min = MIN_PASSWORD_LENGTH;
  return field({
    presence,
    normalize,
    validators: [
      ...secretValidators(MAX_PASSWORD_LENGTH),
      TextRule('tooShort', (text) => codePointLength(text) >= min, `must be at least ${min} characters long`),
      TextRule('tooCommon', (password) => !isCommonPassword(password)),
      TextRule('tooCommon', (password) => new Set(password).size > 1, 'must not repeat one character'),
      TextRule(
        'tooCommon',
        (password, dto) => !namesOf(dto).includes(caseFold(password)),
        'must not be the username, e-mail address or company name',
      ),
    ],
    schema: { type: String, format: 'password', minLength: min, maxLength: MAX_PASSWORD_LENGTH },
  });
}

/**
 * A secret that is compared, not set: the password at login, `currentPassword`, a refresh token. Its length is limited
 * to keep hashing cheap.
 */
export function PresentedSecret(presence: Presence<string> & { max?: number } = {}): PropertyDecorator {
  const max = presence.max ?? MAX_PASSWORD_LENGTH;
  return field({
    presence,
    normalize,
    validators: secretValidators(max),
    schema: { type: String, format: 'password', minLength: 1, maxLength: max },
  });
}

/** NFC and never trimmed (contract §1.6). A text that is too long anyway stays: normalizing it can take half a second. */
function normalize(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 8192) return value;
  return value.normalize('NFC');
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

import { codePointLength } from '../text';
import { isCommonPassword, MIN_PASSWORD_LENGTH } from './common-passwords';
import { field, type Presence } from './field';
import { notBlank, ofType, type Rule, stringRule } from './rule';

/** The most code points of a password (contract §3, User). */
const MAX_PASSWORD_LENGTH = 128;

/** A password to be set: 8–128 code points, any character, not a common one (contract §3, User; 5014). */
export function Password(presence: Presence<string> = {}): PropertyDecorator {
  return field({
    ...presence,
    normalize,
    rules: [
      ...secretRules(MAX_PASSWORD_LENGTH),
      stringRule('tooShort', `must be at least ${MIN_PASSWORD_LENGTH} characters long`, isLongEnough),
      // What is too long is in no list, and to fold 64 KiB of combining marks takes a quarter of a second.
      stringRule('tooCommon', undefined, (password) => !isShortEnough(password) || !isCommonPassword(password)),
    ],
    schema: { type: String, format: 'password', minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH },
  });
}

/**
 * A secret that is presented: the password at login, `currentPassword`, a refresh token. Only the comparison says
 * whether it is right; the bound keeps what is hashed small.
 */
export function PresentedSecret(presence: Presence<string> & { max?: number } = {}): PropertyDecorator {
  const max = presence.max ?? MAX_PASSWORD_LENGTH;
  return field({
    ...presence,
    normalize,
    rules: secretRules(max),
    schema: { type: String, format: 'password', minLength: 1, maxLength: max },
  });
}

/** NFC and never trimmed (contract §1.6). What is too long anyway is not normalized: that can take half a second. */
function normalize(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 8192) return value;
  return value.normalize('NFC');
}

/** Any character may stand in a password but half a surrogate pair: it has no UTF-8, so no hash of its own. */
function secretRules(max: number): Rule[] {
  return [
    notBlank,
    ofType('string', 'must be a string'),
    stringRule('forbiddenCharacters', undefined, (secret) => secret.isWellFormed()),
    stringRule('tooLong', `must be at most ${max} characters long`, (secret) => codePointLength(secret) <= max),
  ];
}

function isShortEnough(password: string): boolean {
  return codePointLength(password) <= MAX_PASSWORD_LENGTH;
}

function isLongEnough(password: string): boolean {
  return codePointLength(password) >= MIN_PASSWORD_LENGTH;
}

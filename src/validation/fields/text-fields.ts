import { IsString } from 'class-validator';
import { codePointLength, isAllowedText, isVisible, normalizeText, type TextKind, textPattern, trim } from '../text';
import { isWebUrl, MAX_URL_LENGTH } from '../web-url';
import { field, isRequired, normalizedText, type Presence, reports, TextRule } from './field';

export interface TextOptions extends Presence<string> {
  /** The most code points it may have. */
  max: number;
  /** The fewest code points it may have; 1 unless set. */
  min?: number;
  /** Which characters it may have (contract §1.6); `line` unless set. */
  kind?: TextKind;
  /** The form it must have, and the message for a text that has another. */
  pattern?: RegExp;
  message?: string;
}

/** A text, stored as NFC and trimmed. A blank one counts as left out, or is the error 5622 if the field is required. */
export function Text({ max, min = 1, kind = 'line', pattern, message, ...presence }: TextOptions): PropertyDecorator {
  const required = isRequired(presence);
  return field({
    presence,
    normalize: normalizedText(presence, (text) => normalizeText(text, max)),
    validators: [
      ...textValidators(presence, kind, min, max),
      ...(pattern ? [TextRule('badFormat', (text) => text === '' || pattern.test(text), message)] : []),
    ],
    schema: {
      type: String,
      maxLength: max,
      ...(required ? { minLength: min } : {}),
      pattern: pattern?.source ?? textPattern(required),
    },
  });
}

const WEB_URL = '^\\s*[Hh][Tt][Tt][Pp][Ss]?://';

/** A web address (contract §3, URLs), stored as sent except for white space around it. */
export function WebUrl(presence: Presence<string> = {}): PropertyDecorator {
  const message = 'must be an http or https URL with a host and without credentials';
  return field({
    presence,
    normalize: normalizedText(presence, trim),
    validators: [
      ...textValidators(presence, 'line', 1, MAX_URL_LENGTH),
      TextRule('badFormat', (text) => text === '' || isWebUrl(text), message),
    ],
    schema: {
      type: String,
      maxLength: MAX_URL_LENGTH,
      // A blank text counts as left out, and is no URI.
      ...(isRequired(presence) ? { format: 'uri', pattern: WEB_URL } : { pattern: `^\\s*$|${WEB_URL}` }),
    },
  });
}

/**
 * One `@` between a local part and labels separated by dots. class-validator's `IsEmail` refuses addresses that some
 * mail servers accept; whether an address exists only a message to it can tell.
 */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/u;

/** An e-mail address of at most 254 code points (contract §3, User). */
export function EmailAddress(presence: Presence<string> = {}): PropertyDecorator {
  return Text({ ...presence, max: 254, kind: 'name', pattern: EMAIL, message: 'must be an e-mail address' });
}

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** A username of 3 to 30 characters (contract §3, User). */
export function Username(presence: Presence<string> = {}): PropertyDecorator {
  const message = 'must contain only A–Z, a–z, 0–9, _ and -, and must not start with _ or -';
  return Text({ ...presence, min: 3, max: 30, kind: 'name', pattern: USERNAME, message });
}

/** class-validator's lengths count UTF-16 units or grapheme parts; the contract counts code points. */
function textValidators(presence: Presence<string>, kind: TextKind, min: number, max: number): PropertyDecorator[] {
  const isLongEnough = (text: string): boolean => text === '' || codePointLength(text) >= min;
  return [
    IsString(reports('wrongType', 'must be a string')),
    ...(isRequired(presence) ? [TextRule('blank', isVisible)] : []),
    TextRule('forbiddenCharacters', (text) => isAllowedText(text, kind)),
    TextRule('tooShort', isLongEnough, `must be at least ${min} characters long`),
    TextRule('tooLong', (text) => codePointLength(text) <= max, `must be at most ${max} characters long`),
  ];
}

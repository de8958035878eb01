import { EMAIL_PATTERN, emailParts, isEmailAddress, MAX_LOCAL_PART } from '../../base/text/email-address';
import {
  characterAt,
  codePointLength,
  forbiddenAt,
  isAllowedText,
  isVisible,
  normalizeText,
  TEXT_PATTERN,
  type TextKind,
  trim,
} from '../../base/text/text';
import { isPhoneNumber, plainPhoneNumber } from '../../base/text/phone-number';
import { webAddressProblem } from '../../base/text/web-address';
import { isRequired, type Presence, textField, TextRule } from './field';

interface TextOptions extends Presence<string> {
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
export function Text({ max, min = 1, kind, pattern, message, ...presence }: TextOptions): PropertyDecorator {
  return textField({
    presence,
    isVisible,
    normalize: (text) => normalizeText(text, max),
    validators: textValidators({ max, min, kind, message }, (text) => !pattern || pattern.test(text)),
    schema: textSchema(presence, { max, min }, pattern?.source),
  });
}

/** A blank text counts as left out where the field is optional. */
function textSchema(presence: Presence<string>, { max, min = 1 }: { max: number; min?: number }, pattern?: string) {
  const required = isRequired(presence) || presence.filter;
  return {
    maxLength: max,
    ...(required && { minLength: min }),
    pattern: pattern === undefined ? TEXT_PATTERN : required ? pattern : `^\\s*$|${pattern}`,
  };
}

const WEB_URL = '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]';

/** A web address (contract §10.4), stored as sent except for white space around it. */
export function WebUrl(presence: Presence<string> = {}): PropertyDecorator {
  const max = 2048;
  // A blank text of an optional field counts as left out.
  const isValid = (text: string): boolean => text === '' || webAddressProblem(text) === undefined;
  return textField({
    presence,
    isVisible,
    normalize: trim,
    validators: [
      ...textValidators({ max }, () => true),
      TextRule('badFormat', isValid, (text) => webAddressProblem(text) ?? ''),
    ],
    schema: {
      maxLength: max,
      // No `format: uri`: in some languages that is a type which cannot hold all that browsers take.
      pattern: isRequired(presence) ? WEB_URL : `^\\s*$|${WEB_URL}`,
      'x-takes':
        'An http or https address with a host and without credentials, as RFC 3986 and RFC 3987 write it: ' +
        'hosts and paths may be international, and other characters are percent-encoded.',
    },
  });
}

/** An e-mail address (contract §10.3) of at most 254 code points. */
export function EmailAddress(presence: Presence<string> = {}): PropertyDecorator {
  const max = 254;
  const fits = (text: string): boolean => Buffer.byteLength(emailParts(text).local) <= MAX_LOCAL_PART;
  return textField({
    presence,
    isVisible,
    normalize: (text) => normalizeText(text, max),
    validators: [
      ...textValidators({ max, kind: 'name', message: 'must be an e-mail address' }, isEmailAddress),
      TextRule('badFormat', fits, `must have at most ${MAX_LOCAL_PART} bytes of UTF-8 before the @`),
    ],
    schema: textSchema(presence, { max }, EMAIL_PATTERN),
  });
}

/** A telephone number as people write it: 5 to 30 characters, stored in ASCII. */
export function PhoneNumber(presence: Presence<string> = {}): PropertyDecorator {
  const [min, max] = [5, 30];
  const message = 'must be a telephone number: digits, spaces and + - ( ) . /, and "ext. 12" at its end';
  return textField({
    presence,
    isVisible,
    normalize: (text) => plainPhoneNumber(text, max),
    validators: textValidators({ min, max, message }, isPhoneNumber),
    // Digits of other widths and typeset numbers are taken too, so it only asks for a digit.
    schema: textSchema(presence, { min, max }, '[0-9\\uFF10-\\uFF19]'),
  });
}

export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const USERNAME_FORM = 'must contain only A–Z, a–z, 0–9, _ and -, and must not start with _ or -';

/** A username of 3 to 30 characters. */
export function Username(presence: Presence<string> = {}): PropertyDecorator {
  const bounds = { min: USERNAME_MIN, max: USERNAME_MAX };
  return Text({ ...presence, ...bounds, kind: 'name', pattern: USERNAME, message: USERNAME_FORM });
}

/**
 * What another system calls the record. Compared exactly: systems have ids that differ only in case. Left out, it stays,
 * because an identity is not cleared by forgetting it.
 */
export function ExternalId(presence: Presence<string> = { nullable: true }): PropertyDecorator {
  return Text({ ...presence, max: 255, kind: 'name' });
}

function textValidators({ max, min = 1, kind = 'line', message }: TextOptions, hasForm: (text: string) => boolean) {
  return [
    TextRule(
      'forbiddenCharacters',
      (text) => isAllowedText(text, kind),
      (text) => forbiddenDetail(text, kind),
    ),
    ...lengthRules(min, max),
    TextRule('badFormat', (text) => text === '' || hasForm(text), message),
  ];
}

/** Names the first character that a text of this kind may not have. */
function forbiddenDetail(text: string, kind: TextKind): string {
  return `contains ${characterAt(text, forbiddenAt(text, kind))}, which is not allowed`;
}

/** class-validator's lengths count UTF-16 units or grapheme parts; the contract counts code points. */
export function lengthRules(min: number, max: number): PropertyDecorator[] {
  const isLongEnough = (text: string): boolean => text === '' || codePointLength(text) >= min;
  return [
    TextRule('tooShort', isLongEnough, `must be at least ${min} characters long`),
    TextRule('tooLong', (text) => codePointLength(text) <= max, `must be at most ${max} characters long`),
  ];
}

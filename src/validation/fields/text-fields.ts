import { codePointLength, isAllowedText, isVisible, normalizeText, type TextKind, textPattern, trim } from '../text';
import { isWebUrl, MAX_URL_LENGTH } from '../web-url';
import { field, isRequired, type Presence } from './field';
import { notBlank, ofType, type Rule, stringRule } from './rule';

/** The bounds and the form of a text. */
export interface TextOptions extends Presence<string> {
  /** The most code points it may have. */
  max: number;
  /** The fewest code points it may have; 1 unless told. */
  min?: number;
  /** What it may hold (contract §1.6): `line` unless told. */
  kind?: TextKind;
  /** Its form, and the form in words for who sent another: `must be …`. */
  pattern?: RegExp;
  form?: string;
}

/** A text: NFC and trimmed; blank counts as left out where it may be left out, else as fault 5622. */
export function Text(options: TextOptions): PropertyDecorator {
  const { max, min = 1, kind = 'line', pattern } = options;
  const required = isRequired(options);
  return field({
    ...options,
    normalize: (value) => givenText(value, required, (text) => normalizeText(text, max)),
    rules: [...textRules(kind, min, max, required), ...(pattern ? [matches(pattern, options.form)] : [])],
    schema: {
      type: String,
      maxLength: max,
      ...(required ? { minLength: min } : {}),
      pattern: pattern?.source ?? textPattern(kind, required),
    },
  });
}

const WEB_URL = '^\\s*[Hh][Tt][Tt][Pp][Ss]?://';

/** A web address (contract §3, URLs): trimmed, else as sent. */
export function WebUrl(presence: Presence<string> = {}): PropertyDecorator {
  const required = isRequired(presence);
  return field({
    ...presence,
    normalize: (value) => givenText(value, required, trim),
    rules: [
      ...textRules('line', 1, MAX_URL_LENGTH, required),
      stringRule('badFormat', 'must be an http or https URL with a host and without credentials', isWebUrl),
    ],
    schema: {
      type: String,
      maxLength: MAX_URL_LENGTH,
      // Blank counts as left out, and is no URI.
      ...(required ? { format: 'uri', pattern: WEB_URL } : { pattern: `^\\s*$|${WEB_URL}` }),
    },
  });
}

/**
 * One `@` between a local part and dot-separated labels. Whether an address exists only a message to it can tell, so
 * nothing that some mail server takes is refused for its looks.
 */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/u;

/** An e-mail address of at most 254 code points (contract §3, User). */
export function EmailAddress(presence: Presence<string> = {}): PropertyDecorator {
  return Text({ ...presence, max: 254, kind: 'name', pattern: EMAIL, form: 'must be an e-mail address' });
}

/** Letters, digits, `_` and `-`, of which the last two cannot begin a username (contract §3, User). */
const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const USERNAME_FORM = 'must be made of A–Z, a–z, 0–9, _ and -, and not start with _ or -';

/** A username of 3 to 30 characters (contract §3, User). */
export function Username(presence: Presence<string> = {}): PropertyDecorator {
  return Text({ ...presence, min: 3, max: 30, kind: 'name', pattern: USERNAME, form: USERNAME_FORM });
}

/** A text as given, or `undefined` when it is blank and may be left out; what is no text stays for the rules. */
function givenText(value: unknown, required: boolean, normalize: (text: string) => string): unknown {
  if (typeof value !== 'string') return value;
  const text = normalize(value);
  return text === '' && !required ? undefined : text;
}

/** A name that is required has something to be seen by (5622). */
const visible: Rule = stringRule('blank', undefined, isVisible);

function textRules(kind: TextKind, min: number, max: number, required: boolean): Rule[] {
  return [
    ...(required ? [kind === 'name' ? visible : notBlank] : []),
    ofType('string', 'must be a string'),
    stringRule('forbiddenCharacters', undefined, (text) => isAllowedText(text, kind)),
    stringRule(
      'tooShort',
      `must be at least ${min} characters long`,
      (text) => text === '' || codePointLength(text) >= min,
    ),
    stringRule('tooLong', `must be at most ${max} characters long`, (text) => codePointLength(text) <= max),
  ];
}

function matches(pattern: RegExp, form?: string): Rule {
  return stringRule('badFormat', form, (text) => text === '' || pattern.test(text));
}

import { FieldErrorName } from '../../src/errors/field-error';

/** A value of one field, and what becomes of it. */
export interface Case {
  readonly about: string;
  readonly value: unknown;
  /** The fault; the value is taken where there is none. */
  readonly fault?: FieldErrorName;
  /** Where the fault stands, if not on the field itself: `.2`. */
  readonly at?: string;
  /** What the record then shows, if not the value. */
  readonly shown?: unknown;
}

const FACE = '😀';
const ID = 'f'.repeat(24);

/** A text of that many code points, each of which is two UTF-16 units where it may be. */
type Maker = (length: number) => string;

const faces: Maker = (length) => FACE.repeat(length);
const letters: Maker = (length) => 'a'.repeat(length);

/** n − 1, n and n + 1 code points around both bounds. */
function lengths(max: number, text: Maker = faces, min = 1): Case[] {
  const within = [min, min + 1, max - 1, max].map((n) => ({ about: `${n} characters`, value: text(n) }));
  const short = min > 1 ? [{ about: `${min - 1} characters`, value: text(min - 1), fault: 'tooShort' as const }] : [];
  return [...short, ...within, { about: `${max + 1} characters`, value: text(max + 1), fault: 'tooLong' }];
}

const wrongTypes: Case[] = [1, true, {}, ['a']].map((value) => ({
  about: JSON.stringify(value),
  value,
  fault: 'wrongType',
}));

const missing: Case[] = [
  { about: 'nothing', value: undefined, fault: 'missing' },
  { about: 'null', value: null, fault: 'missing' },
  { about: 'an empty text', value: '', fault: 'blank' },
  { about: 'a blank text', value: ' \t\u3000\u0085', fault: 'blank' },
];

/** What clears a field that may be left out. */
function leftOut(shown: unknown): Case[] {
  const values = [undefined, null, '', ' \n\u2003'];
  return values.map((value) => ({ about: JSON.stringify(value) ?? 'nothing', value, shown }));
}

const stored: Case[] = [
  { about: 'white space around it', value: '\u3000 Nets \u0085', shown: 'Nets' },
  { about: 'what composes', value: 'u\u0308', shown: '\u00fc' },
  { about: 'NUL', value: 'a\0b', fault: 'forbiddenCharacters' },
  { about: 'half a pair', value: 'a\ud800', fault: 'forbiddenCharacters' },
];

const invisible: Case[] = [
  { about: 'a direction override', value: 'a\u202eb', fault: 'forbiddenCharacters' },
  { about: 'a soft hyphen', value: 'a\u00adb', fault: 'forbiddenCharacters' },
  { about: 'a byte order mark', value: 'a\ufeffb', fault: 'forbiddenCharacters' },
  { about: 'a joiner', value: 'a\u200db\u200cc' },
  ...['\u200d', '\u3164 \u115f', '\u034f', '\ufe0f'].map((value): Case => ({
    about: `nothing but ${JSON.stringify(value)}`,
    value,
    fault: 'blank',
  })),
  { about: 'a tab', value: 'a\tb', fault: 'forbiddenCharacters' },
];

/** The rules of a name: 1–255 (contract §3, §1.6). */
const name: Case[] = [...missing, ...wrongTypes, ...lengths(255), ...stored, ...invisible];

const url = (length: number): string => `https://h.example/${'a'.repeat(length - 18)}`;
const badUrls = ['http://', 'ftp://h.example', 'h.example', 'http://u:p@h.example', 'http://h .example', '//h.example'];
const urls: Case[] = [
  { about: '2,047 characters', value: url(2047) },
  { about: '2,048 characters', value: url(2048) },
  { about: '2,049 characters', value: url(2049), fault: 'tooLong' },
  { about: 'capitals and a host of letters', value: 'HTTP://ÜNÏ.example/A' },
  { about: 'spaces around it', value: '  https://h.example ', shown: 'https://h.example' },
  ...badUrls.map((value): Case => ({ about: value, value, fault: 'badFormat' })),
];

const paragraphs: Case[] = [
  ...leftOut(''),
  ...wrongTypes,
  ...lengths(1000),
  ...stored,
  { about: 'lines and tabs', value: 'a\r\nb\tc\nd', shown: 'a\nb\tc\nd' },
  { about: 'a return alone', value: 'a\rb', fault: 'forbiddenCharacters' },
  { about: 'what is not seen', value: 'a\u200eb' },
];

const email = (length: number): string => `${'a'.repeat(length - 10)}@b.example`;

/** Every rule of contract §3 that one field is judged by, by resource and field. */
export const bounds: Readonly<Record<'organizations' | 'apis' | 'users', Readonly<Record<string, readonly Case[]>>>> = {
  organizations: {
    name,
    url: [...missing, ...wrongTypes, ...urls],
    description: paragraphs,
    featuredApiIds: [
      { about: 'nothing', value: undefined, shown: [] },
      { about: 'null', value: null, shown: [] },
      { about: 'none', value: [] },
      { about: 'a text', value: ID, fault: 'wrongType' },
      { about: 'a number among ids', value: [ID, 1], fault: 'wrongType', at: '.1' },
      { about: 'null among ids', value: [null], fault: 'wrongType', at: '.0' },
      { about: 'five', value: ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(24)), fault: 'tooManyItems' },
      { about: 'what is no id', value: [ID, ID.toUpperCase()], fault: 'badFormat', at: '.1' },
      { about: 'an id twice', value: [ID, 'a'.repeat(24), ID], fault: 'repeatedItem', at: '.2' },
      {
        about: 'four of nothing',
        value: ['a', 'b', 'c', 'd'].map((d) => d.repeat(24)),
        fault: 'namesNothing',
        at: '.0',
      },
    ],
    organizationLogoFileId: [
      ...leftOut(null),
      ...wrongTypes,
      { about: 'what is no id', value: 'x', fault: 'badFormat' },
      { about: 'an id of nothing', value: ID, fault: 'namesNothing' },
    ],
  },
  apis: {
    name,
    url: [...missing, ...wrongTypes, ...urls],
    description: paragraphs,
    lifecycleStatus: [
      { about: 'nothing', value: undefined, shown: 'design' },
      { about: 'null', value: null, shown: 'design' },
      ...['design', 'development', 'testing', 'production', 'deprecated'].map((value) => ({ about: value, value })),
      { about: 'another', value: 'retired', fault: 'notOneOf' },
      { about: 'other case', value: 'Design', fault: 'notOneOf' },
      { about: 'a number', value: 1, fault: 'wrongType' },
    ],
    isPublic: [
      { about: 'nothing', value: undefined, shown: false },
      { about: 'null', value: null, shown: false },
      { about: 'true', value: true },
      { about: 'false', value: false },
      { about: 'a text', value: 'true', fault: 'wrongType' },
      { about: 'a number', value: 0, fault: 'wrongType' },
    ],
    documentationUrl: [...leftOut(null), ...wrongTypes, ...urls],
  },
  users: {
    username: [
      ...missing,
      ...wrongTypes,
      ...lengths(30, letters, 3),
      { about: 'all that may stand in it', value: 'A-z_0' },
      { about: 'a space of no width', value: 'ab\u200bc', fault: 'forbiddenCharacters' },
      ...['_ab', '-ab', 'a b', 'a.b', 'äbc', 'ab😀'].map((value): Case => ({
        about: value,
        value,
        fault: 'badFormat',
      })),
    ],
    companyName: name,
    email: [
      ...missing,
      ...wrongTypes,
      { about: '253 characters', value: email(253) },
      { about: '254 characters', value: email(254) },
      { about: '255 characters', value: email(255), fault: 'tooLong' },
      ...['a', '@b.example', 'a@', 'a@b@c', 'a b@c.d'].map((value): Case => ({
        about: value,
        value,
        fault: 'badFormat',
      })),
    ],
    password: [
      { about: '7 characters', value: faces(7), fault: 'tooShort' },
      { about: '129 characters', value: faces(129), fault: 'tooLong' },
      { about: 'a common one', value: 'PassWord1', fault: 'tooCommon' },
      { about: 'half a pair', value: 'long enough\ud800', fault: 'forbiddenCharacters' },
      { about: 'nothing in it', value: '', fault: 'blank' },
      { about: 'a number', value: 12345678, fault: 'wrongType' },
    ],
    roles: [
      { about: 'nothing', value: undefined, shown: [] },
      { about: 'null', value: null, shown: [] },
      { about: 'another role', value: ['root'], fault: 'notOneOf', at: '.0' },
      { about: 'a role twice', value: ['admin', 'admin'], fault: 'repeatedItem', at: '.1' },
      { about: 'a text', value: 'admin', fault: 'wrongType' },
      { about: 'a number in it', value: ['admin', 1], fault: 'wrongType', at: '.1' },
    ],
  },
};

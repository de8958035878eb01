import { FieldErrorName } from '../../src/platform/base/errors/field-error';
import { DAY_MS } from '../../src/platform/base/text/date';

/** A value of one field, and what becomes of it. */
export interface Case {
  readonly value: unknown;
  /** The field error; the value is accepted if there is none. */
  readonly error?: FieldErrorName;
  /** Place of the error, if not on the field itself: `.2`. */
  readonly at?: string;
  /** Value that the record then shows, if not this one. */
  readonly shown?: unknown;
}

const ID = 'f'.repeat(24);
const idsOf = (digits: string): string[] => [...digits].map((digit) => digit.repeat(24));

const accepted = (...values: unknown[]): Case[] => values.map((value) => ({ value }));
const shownAs = (shown: unknown, ...values: unknown[]): Case[] => values.map((value) => ({ value, shown }));
const refused = (error: FieldErrorName, ...values: unknown[]): Case[] => values.map((value) => ({ value, error }));
const refusedAt = (at: string, error: FieldErrorName, value: unknown): Case => ({ value, error, at });

/** A text of that many code points; those of `faces` have two UTF-16 units. */
type Maker = (length: number) => string;
const faces: Maker = (length) => '😀'.repeat(length);
const letters: Maker = (length) => 'a'.repeat(length);
const digits: Maker = (length) => '1'.repeat(length);

/** n − 1, n and n + 1 code points around both bounds. */
function lengths(max: number, text: Maker = faces, min = 1): Case[] {
  const short = min > 1 ? refused('tooShort', text(min - 1)) : [];
  return [...short, ...accepted(...[min, min + 1, max - 1, max].map(text)), ...refused('tooLong', text(max + 1))];
}

const wrongTypes = refused('wrongType', 1, true, {}, ['a']);
const missing = [...refused('missing', undefined, null), ...refused('blank', '', ' \t\u3000\u0085')];

/** An optional field, with values that clear it. */
const optional = (shown: unknown, ...rules: Case[][]): Case[] => [
  ...shownAs(shown, undefined, null, '', ' \n\u2003'),
  ...wrongTypes,
  ...rules.flat(),
];

/** White space and byte order marks around a text, what composes, NUL, half a pair. */
const stored = [
  ...shownAs('Nets', '\u3000 Nets \u0085', '\ufeff Nets\ufeff\ufeff'),
  ...shownAs('\u00fc', 'u\u0308'),
  ...refused('forbiddenCharacters', 'a\0b', 'a\ud800'),
];

/** A direction override, a soft hyphen, a byte order mark, a tab; joiners, which need something else with them. */
const invisible = [
  ...refused('forbiddenCharacters', 'a\u202eb', 'a\u00adb', 'a\ufeffb', 'a\tb'),
  ...accepted('a\u200db\u200cc'),
];

/** The rules of a name: 1–255 (contract §3, §1.6). */
const name: Case[] = [
  ...[...missing, ...wrongTypes, ...lengths(255), ...stored, ...invisible],
  ...refused('blank', '\u200d', '\u3164 \u115f', '\u034f', '\ufe0f'),
];

/** All forms of addresses and telephone numbers: src/platform/base/text/addresses.spec.ts. */
const url = (length: number): string => `https://h.example/${'a'.repeat(length - 18)}`;
const urls = optional(
  null,
  accepted(url(2047), url(2048), 'HTTP://ÜNÏ.example/A'),
  refused('tooLong', url(2049)),
  shownAs('https://h.example', '  https://h.example ', '\ufeffhttps://h.example'),
  refused('badFormat', 'http://', 'ftp://h.example', 'h.example', 'http://u:p@h.example'),
);

const paragraphs = (max: number): Case[] =>
  optional('', lengths(max), stored, shownAs('a\nb\tc\nd', 'a\r\nb\tc\nd'), [
    ...refused('forbiddenCharacters', 'a\rb'),
    ...accepted('a\u200eb'),
  ]);

/** At most 64 bytes before the `@`, and labels of at most 63 characters. */
const email = (length: number): string =>
  `${'a'.repeat(length - 190)}@${[63, 63, 61].map((size) => 'b'.repeat(size)).join('.')}`;
const emails = [
  ...accepted(email(253), email(254), 'a+b@c', '用户@例子.example'),
  ...refused('tooLong', email(255)),
  ...refused('badFormat', 'a', '<a@b>', `${'é'.repeat(33)}@b`, `a@${'b'.repeat(64)}`),
];

/** The contact of an Organization or an API. */
const contact = {
  contactName: optional(null, lengths(100), stored, invisible),
  contactEmail: optional(null, emails),
  contactPhone: optional(
    null,
    lengths(30, digits, 5),
    shownAs('+47 22-12 ext. 5', '+47\u00a022\u201112 x5'),
    refused('badFormat', 'ext. 12345', '-----'),
    refused('forbiddenCharacters', '12345\t6'),
  ),
  contactUrl: urls,
};

const externalId = [
  ...[...wrongTypes, ...lengths(255, letters), ...stored, ...invisible],
  ...shownAs(null, null, '', ' \n\u2003'),
];

/** The day in UTC in so many days. */
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const flag = (fallback: boolean): Case[] => [
  ...[...shownAs(fallback, undefined, null), ...accepted(true, false)],
  ...refused('wrongType', 'true', 0),
];

/** Every rule of contract §3 for a single field, at its bounds, by resource and field. */
export const bounds: Readonly<
  Record<'organizations' | 'apis' | 'consumers' | 'users', Readonly<Record<string, readonly Case[]>>>
> = {
  organizations: {
    name,
    url: urls,
    description: paragraphs(1000),
    managerIds: refused('changedElsewhere', [], [ID], [ID, ID], [1], ID, 1, {}),
    featuredApiIds: [
      ...shownAs([], undefined, null, []),
      ...refused('wrongType', ID),
      refusedAt('.1', 'wrongType', [ID, 1]),
      refusedAt('.0', 'wrongType', [null]),
      ...refused('tooManyItems', idsOf('abcde')),
      refusedAt('.1', 'badFormat', [ID, ID.toUpperCase()]),
      refusedAt('.2', 'repeatedItem', [ID, ...idsOf('a'), ID]),
      refusedAt('.0', 'namesNothing', idsOf('abcd')),
    ],
    organizationLogoFileId: optional(null, refused('badFormat', 'x'), refused('namesNothing', ID)),
    ...contact,
    externalId,
  },
  apis: {
    name,
    url: urls,
    description: paragraphs(4000),
    version: optional(null, lengths(40), stored, invisible, accepted('2.1 (β)')),
    lifecycleStatus: [
      ...shownAs('design', undefined, null),
      ...accepted('design', 'development', 'testing', 'production', 'deprecated'),
      ...refused('notOneOf', 'retired', 'Design'),
      ...refused('wrongType', 1),
    ],
    sunsetAt: optional(
      null,
      accepted('2026-03-16', '0000-01-01', '9999-12-31', '2024-02-29', '2026-03-16T20:07+01:00'),
      accepted('2026-03-16T20:07:54.123456789-12:00'),
      refused('badFormat', '2026-02-30', '2025-02-29', '2026-03', '2026-03-16T20:07:54', '2026-03-16T24:00Z'),
      refused('badFormat', ' 2026-03-16', '16.03.2026', '9999-12-31T23:59-14:00', '12026-03-16'),
    ),
    successorId: optional(null, refused('badFormat', 'x'), refused('namesNothing', ID)),
    isPublic: flag(false),
    acceptsConsumers: flag(true),
    documentationUrl: urls,
    ...contact,
    // The body has a definitionType; how the two belong together is proven in test/registry/apis.
    definitionUrl: urls,
    definitionType: [
      ...shownAs(null, undefined, null, 'openapi'),
      ...refused('notOneOf', 'raml'),
      ...refused('wrongType', 1),
    ],
    tags: [
      ...shownAs([], undefined, null, []),
      ...accepted(['a'], ['0-', letters(40)], [...'abcdefghij']),
      ...shownAs(['a', 'a-c', 'b'], ['b', 'a-c', 'a']),
      ...refused('wrongType', 'a'),
      refusedAt('.1', 'wrongType', ['a', 1]),
      ...refused('tooManyItems', [...'abcdefghijk']),
      ...['', 'A', 'ä', 'a b', letters(41), 'a\n'].map((word) => refusedAt('.1', 'badFormat', ['z', word, 'a'])),
      refusedAt('.2', 'repeatedItem', ['z', 'a', 'z']),
    ],
    externalId,
    reviewedAt: [
      ...shownAs(null, null, ''),
      ...accepted('0000-01-01', '2024-02-29', '2026-03-16T20:07+01:00', dayIn(1)),
      ...refused('outOfRange', dayIn(2), '9999-12-31T23:59Z'),
      ...refused('badFormat', '2026-02-30'),
    ],
  },
  consumers: { note: paragraphs(500) },
  users: {
    username: [
      ...[...missing, ...wrongTypes, ...lengths(30, letters, 3), ...accepted('A-z_0')],
      ...refused('forbiddenCharacters', 'ab\u200bc'),
      ...refused('badFormat', '_ab', '-ab', 'a b', 'a.b', 'äbc', 'ab😀'),
    ],
    companyName: name,
    email: [...missing, ...wrongTypes, ...emails],
    password: [
      ...refused('tooShort', faces(7)),
      ...refused('tooLong', faces(129)),
      ...refused('tooCommon', 'PassWord1'),
      ...refused('forbiddenCharacters', 'long enough\ud800'),
      ...refused('blank', ''),
      ...refused('wrongType', 12345678),
    ],
    isSuspended: [...shownAs(false, null), ...accepted(true, false), ...refused('wrongType', 'true', 0)],
    externalId,
    roles: [
      ...shownAs([], undefined, null),
      refusedAt('.0', 'notOneOf', ['root']),
      refusedAt('.1', 'repeatedItem', ['admin', 'admin']),
      ...refused('wrongType', 'admin'),
      refusedAt('.1', 'wrongType', ['admin', 1]),
    ],
  },
};

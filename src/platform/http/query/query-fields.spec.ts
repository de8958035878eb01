import { EmailAddress, Text, Username } from '../fields/text-fields';
import { validateFields } from '../fields/validate-fields';
import { IsoDate } from '../fields/date-field';
import { WORD, WORD_FORM, WORD_MAX } from '../fields/list-fields';
import { Flag, Integer, RecordId } from '../fields/value-fields';
import { QueryIds, QuerySearch, QuerySlug } from './query-fields';

const id = '65f5f0a2c3d4e5f60718293a';
const other = '65f5f0a2c3d4e5f60718293b';
const ids = (count: number): string => Array.from({ length: count }, (_, at) => String(at).padStart(24, 'a')).join();

class Query {
  @Integer({ min: 1, max: 100, default: 50, filter: true }) limit!: number;
  @RecordId({ filter: true }) id?: string;
  @RecordId({ me: true, filter: true }) user?: string;
  @QueryIds() ids?: string[];
  @QuerySearch({ max: 100 }) q?: string;
  @Text({ max: 255, kind: 'name', filter: true }) name?: string;
  @Username({ filter: true }) username?: string;
  @EmailAddress({ filter: true }) email?: string;
  @Text({ max: WORD_MAX, pattern: WORD, message: WORD_FORM, filter: true }) tag?: string;
  @QuerySlug() slug?: string;
  @Flag({ filter: true }) flag?: boolean;
  @IsoDate({ filter: true }) since?: string;
}

const NUMBER = 'must be a whole number from 1 to 100';

/** By parameter, what it accepts, and what it refuses with which detail. */
const rows: [keyof Query, accepted: string[], refused: Record<string, string[]>][] = [
  ['limit', ['1', '100', '007'], { [NUMBER]: ['', '0', '101', '+1', '1.0', '1e1', '0x1', ' 1', '9'.repeat(40)] }],
  ['id', [id], { blank: [''], 'must be 24': ['x', 'me', id.toUpperCase()] }],
  ['user', [id, 'me'], { 'or me': ['ME', `${id}me`] }],
  [
    'ids',
    [id, `${other},${id}`, ids(100)],
    { 'number 1 is not': ['', 'me'], 'number 2 is not': [`${id},`, `${id},,${id}`] },
  ],
  ['ids', [], { 'must not name an id twice': [`${id},${other},${id}`], 'at most 100 ids': [ids(101)] }],
  [
    'q',
    [' a ', '😀'.repeat(100), '\ufdfa'.repeat(18)],
    { 'at most 100': ['😀'.repeat(101)], several: ['∰'.repeat(100)] },
  ],
  ['name', ['a', ' ½', '😀'.repeat(255)], { blank: ['', ' ', '\u3164'], 'at most 255': ['x'.repeat(256)] }],
  ['name', [' a '], { 'U+202E at position 2': ['a\u202eb'] }],
  ['username', ['Ada', ' ada ', 'a_-'], { 'at least 3': ['ad'], 'must contain only': ['ada@b', '_ada', 'adä'] }],
  ['email', ['ada+tag@b', ' ada@bücher.example '], { 'e-mail': ['ada tag@b', 'ada', 'ada@', '@b', 'a@b@c'] }],
  ['tag', ['a', 'a-1', ' a'], { 'must have 1 to 40': ['Fishing', 'a b', 'ä'] }],
  ['slug', ['a', 'a-1'], { 'single -': ['A', 'a--b', '-a', 'a-', 'ä'] }],
  ['flag', ['true', 'false'], { 'true or false': ['', 'TRUE', '1'] }],
  [
    'since',
    ['2026-03-16', '2026-03-16T20:07+01:00'],
    { 'send %2B': ['2026-03-16T20:07 01:00'], date: ['now', '2026-02-30'] },
  ],
];

it.each(rows)('%s takes %j, and refuses with a reason: %j', (name, accepted, refused) => {
  const errorsOf = (text: string) => validateFields(Query, { [name]: text }).fieldErrors;
  for (const text of accepted) expect([text, errorsOf(text)]).toEqual([text, []]);
  for (const [detail, texts] of Object.entries(refused))
    for (const text of texts)
      expect([text, errorsOf(text)]).toMatchObject([text, [{ title: name, detail: expect.stringContaining(detail) }]]);
});

it('a date and time is compared in UTC with milliseconds', () => {
  const { value } = validateFields(Query, { since: '2026-03-16T20:07:54.5759999+01:00' });
  expect(value).toMatchObject({ since: '2026-03-16T19:07:54.575Z' });
});

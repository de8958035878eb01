import { describeFields, each } from '../../../../test/support/field-kinds';
import { DATE_FORM } from '../fields/date-field';
import { Text } from '../fields/text-fields';
import { validateFields } from '../fields/validate-fields';
import {
  QueryDate,
  QueryFlag,
  QueryId,
  QueryIds,
  QueryInteger,
  QueryOneOf,
  QuerySearch,
  QuerySlug,
  QueryWord,
  SORTS,
} from './query-fields';

const printable = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';
const text = (maxLength: number, pattern: unknown, minLength = 1): object => ({
  ...{ type: String, minLength, maxLength, pattern, required: false, nullable: false },
});
const id = '65f5f0a2c3d4e5f60718293a';
const other = '65f5f0a2c3d4e5f60718293b';
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at).padStart(24, 'a'));
const idsForm = 'must be ids of 24 lower-case hexadecimal digits, separated by commas';

describeFields([
  {
    kind: 'QueryInteger',
    decorator: () => QueryInteger({ min: 1, max: 100, default: 50 }),
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, required: false, nullable: false },
    accepted: [[undefined, 50], ...['1', '100', '007'].map((text): [string, number] => [text, Number(text)])],
    refused: [
      ...each(['', '+1', '-1', '1.0', '1e1', '0x1', ' 1', '1 '], 'wrongType', 'must be a whole number from 1 to 100'),
      ...each(['0', '101', '9'.repeat(40)], 'outOfRange', 'must be a whole number from 1 to 100'),
    ],
  },
  {
    kind: 'QueryId',
    decorator: () => QueryId(),
    schema: { type: String, pattern: '^[0-9a-f]{24}$', required: false, nullable: false },
    accepted: [[undefined], [id]],
    refused: each(['', 'x', 'me', id.toUpperCase()], 'badFormat', 'must be 24 lower-case hexadecimal digits'),
  },
  {
    kind: 'QueryId of a User',
    decorator: () => QueryId({ me: true }),
    schema: { type: String, pattern: '^(?:me|[0-9a-f]{24})$', required: false, nullable: false },
    accepted: [[undefined], [id], ['me']],
    refused: each(['', 'ME', `${id}me`], 'badFormat', 'must be 24 lower-case hexadecimal digits, or me'),
  },
  {
    kind: 'QueryIds',
    decorator: () => QueryIds(),
    schema: {
      ...{ type: String, pattern: '^[0-9a-f]{24}(,[0-9a-f]{24})*$', maxLength: 2499 },
      ...{ required: false, nullable: false },
    },
    accepted: [[undefined], [id, [id]], [`${other},${id}`, [other, id]], [ids(100).join(), ids(100)]],
    refused: [
      ...each(['', 'x', 'me', id.toUpperCase(), `${id} `], 'badFormat', `${idsForm}; number 1 is not`),
      ...each([`${id},`, `${id},,${other}`, `${id},me`, `${id}, ${other}`], 'badFormat', `${idsForm}; number 2 is not`),
      ...each([`${id},${other},${id}`], 'repeatedItem', 'must not name an id twice'),
      ...each([ids(101).join(), ','.repeat(100)], 'tooManyItems', 'must have at most 100 ids'),
    ],
  },
  {
    kind: 'QuerySearch',
    decorator: () => QuerySearch({ max: 3 }),
    schema: { type: String, maxLength: 3, pattern: printable, required: false, nullable: false },
    accepted: [[undefined], ['', undefined], [' \u3000  ', undefined], [' a '], ['😀😀😀']],
    refused: each(['😀😀😀😀'], 'tooLong', 'must have at most 3 characters'),
  },
  {
    kind: 'QuerySearch',
    decorator: () => QuerySearch({ max: 100 }),
    schema: { type: String, maxLength: 100, pattern: printable, required: false, nullable: false },
    accepted: [['😀'.repeat(100)], ['…'.repeat(100)], ['\ufdfa'.repeat(18)]],
    refused: each(['\ufdfa'.repeat(19), '∰'.repeat(100)], 'tooLong', 'has too many characters that stand for several'),
  },
  {
    kind: 'a text to filter by',
    decorator: () => Text({ max: 3, kind: 'name', filter: true }),
    schema: text(3, expect.any(String)),
    accepted: [[undefined], [' a ', 'a'], ['e\u0301', '\u00e9']],
    refused: [
      ...each(['', ' ', '\u3164'], 'blank'),
      ['a\u202eb', 'forbiddenCharacters', 'contains U+202E at position 2, which is not allowed'],
      ['abcd', 'tooLong', 'must be at most 3 characters long'],
    ],
  },
  {
    kind: 'QueryWord',
    decorator: () => QueryWord(),
    schema: text(40, '^[a-z0-9-]{1,40}$'),
    accepted: [['a'], ['a-1']],
    refused: each(['Fishing', 'a b', 'ä'], 'badFormat', 'must have 1 to 40 characters of a–z, 0–9 and -'),
  },
  {
    kind: 'QuerySlug',
    decorator: () => QuerySlug(),
    schema: text(100, '^[a-z0-9]+(-[a-z0-9]+)*$'),
    accepted: [['a'], ['a-1']],
    refused: each(['A', 'a--b', '-a', 'a-', 'a b', 'ä'], 'badFormat'),
  },
  {
    kind: 'QueryFlag',
    decorator: () => QueryFlag(),
    schema: { type: Boolean, required: false, nullable: false },
    accepted: [[undefined], ['true', true], ['false', false]],
    refused: each(['', 'TRUE', '1'], 'wrongType', 'must be true or false'),
  },
  {
    kind: 'QueryDate',
    decorator: () => QueryDate(),
    schema: { type: String, pattern: expect.stringContaining('[0-9]{4}'), required: false, nullable: false },
    accepted: [
      [undefined],
      ['2026-03-16'],
      ['2026-03-16T19:07:54Z', '2026-03-16T19:07:54.000Z'],
      ['2026-03-16T20:07:54.5+01:00', '2026-03-16T19:07:54.500Z'],
    ],
    refused: [
      ['2026-03-16T20:07:54 01:00', 'badFormat', 'has a "+" that is not encoded: send %2B'],
      ...each(['', ' ', '2026-02-30', '2026-03-16T20:07:54', '2026-03-16 20:07:54Z', 'now'], 'badFormat', DATE_FORM),
    ],
  },
  {
    kind: 'QueryOneOf, with a default',
    decorator: () => QueryOneOf(SORTS, { default: '-_id' }),
    schema: { type: String, enum: ['_id', '-_id'], required: false, nullable: false },
    accepted: [[undefined, '-_id'], ['_id'], ['-_id']],
    refused: each(['', 'name', '+_id', '_ID'], 'notOneOf', 'must be one of: _id, -_id'),
  },
  {
    kind: 'QueryOneOf',
    decorator: () => QueryOneOf(['design', 'testing']),
    schema: { type: String, enum: ['design', 'testing'], required: false, nullable: false },
    accepted: [[undefined], ['testing']],
    refused: each(['', 'live', 'Design'], 'notOneOf', 'must be one of: design, testing'),
  },
]);

it('A period may end in the moment, or on the day, in which it begins, and not before', () => {
  class Period {
    @QueryDate() since?: string;
    @QueryDate({ notBefore: 'since' }) until?: string;
  }
  const errorsOf = (period: Period): unknown[] => validateFields(Period, period).fieldErrors;
  const noon = '2026-03-16T12:00:00.000Z';
  for (const period of [
    ...[{ until: noon }, { since: noon }, { since: noon, until: noon }, { since: noon, until: '2026-03-16' }],
    { since: '2026-03-16', until: '2026-03-16T00:00:00Z' },
  ])
    expect(errorsOf(period)).toEqual([]);
  for (const until of ['2026-03-15', '2026-03-16T11:59:59.999Z']) {
    const refusal = { title: 'until', detail: 'must not be before since' };
    expect(errorsOf({ since: noon, until })).toEqual([expect.objectContaining(refusal)]);
  }
  expect(errorsOf({ since: 'soon', until: noon })).toEqual([expect.objectContaining({ title: 'since' })]);
});

import { describeFields, each } from '../../../../test/support/field-kinds';
import { DATE_FORM } from '../fields/date-field';
import { QueryDate, QueryFlag, QueryId, QueryInteger, QueryOneOf, QuerySearch, QueryText, SORTS } from './query-fields';

const printable = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';
const id = '65f5f0a2c3d4e5f60718293a';

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
    refused: each(['', 'x', id.toUpperCase()], 'badFormat', 'must be 24 lower-case hexadecimal digits'),
  },
  {
    kind: 'QuerySearch',
    decorator: () => QuerySearch({ max: 3 }),
    schema: { type: String, maxLength: 3, pattern: printable, required: false, nullable: false },
    accepted: [[undefined], ['', undefined], [' \u3000  ', undefined], [' a '], ['😀😀😀']],
    refused: each(['😀😀😀😀'], 'tooLong', 'must have at most 3 characters'),
  },
  {
    kind: 'QueryText',
    decorator: () => QueryText({ max: 3 }),
    schema: { type: String, minLength: 1, maxLength: 3, pattern: printable, required: false, nullable: false },
    accepted: [[undefined], [' '], ['😀😀'], ['😀😀😀'], ['e\u0301']],
    refused: each(['', '😀😀😀😀'], 'tooLong', 'must have 1 to 3 characters'),
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

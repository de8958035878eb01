import { describeFields, each } from '../../../test/support/field-kinds';
import { QueryFlag, QueryId, QueryInteger, QueryOneOf, QuerySearch, QueryText } from './query-fields';

const printable = '^[^\\x00-\\x1F\\x7F-\\x9F]*$';
const id = '65f5f0a2c3d4e5f60718293a';

describeFields([
  {
    kind: 'QueryInteger',
    decorator: () => QueryInteger({ min: 1, max: 100, default: 50 }),
    schema: { type: 'integer', minimum: 1, maximum: 100, required: false, nullable: false },
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
    kind: 'QueryOneOf',
    decorator: () => QueryOneOf(['design', 'testing']),
    schema: { type: String, enum: ['design', 'testing'], required: false, nullable: false },
    accepted: [[undefined], ['testing']],
    refused: each(['', 'live', 'Design'], 'notOneOf', 'must be one of: design, testing'),
  },
]);

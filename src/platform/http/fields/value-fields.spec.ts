import { describeFields, each } from '../../../../test/support/field-kinds';
import { fieldErrors } from '../../base/errors/field-error';
import { ListOf, RecordIds, Words } from './list-fields';
import { Flag, Integer, OneOf, RecordId } from './value-fields';

const id = (digit: string): string => digit.repeat(24);
const ids = ['a', 'b', 'c', 'd', 'e'].map(id);
const idForm = 'must be 24 lower-case hexadecimal digits';
const list = { type: 'array', required: false, nullable: true };

describeFields([
  {
    kind: 'RecordId',
    decorator: () => RecordId(),
    schema: { type: String, pattern: '^[0-9a-f]{24}$', required: true },
    accepted: [[id('a')]],
    refused: [
      [' ', 'blank'],
      [7, 'wrongType', 'must be a string'],
      ...each(['x', id('A'), id('g'), ` ${id('a')}`, `${id('a')}\n`, `${id('a')}0`], 'badFormat', idForm),
    ],
  },
  {
    kind: 'RecordId, optional',
    decorator: () => RecordId({ default: null }),
    schema: { type: String, pattern: '^(?:[0-9a-f]{24})?$', required: false, nullable: true },
    accepted: [[id('a')], [' ', null]],
    refused: [['x', 'badFormat']],
  },
  {
    kind: 'RecordIds',
    decorator: () => RecordIds({ max: 4, default: [] }),
    schema: { ...list, items: { type: 'string', pattern: '^[0-9a-f]{24}$' }, maxItems: 4 },
    accepted: [[[]], [ids.slice(0, 3)], [ids.slice(0, 4)], [undefined, []], [null, []]],
    refused: [
      ...each(['a', { length: 1, 0: id('a') }], 'wrongType', 'must be a list of strings'),
      [[1, 2, 3, 4, 5], 'tooManyItems', 'must have at most 4 items'],
      [[id('a'), 7], 'wrongType', 'must be a string', 1],
      [[{ constructor: { name: 1 } }], 'wrongType', 'must be a string', 0],
      [['x', id('a'), id('a')], 'badFormat', idForm, 0],
      [[id('a'), id('a'), 'x'], 'repeatedItem', fieldErrors.repeatedItem.detail, 1],
      [[id('a'), id('b'), id('a')], 'repeatedItem', undefined, 2],
    ],
  },
  {
    kind: 'OneOf',
    decorator: () => OneOf(['design', 'testing'], { default: 'design' }),
    schema: { type: String, enum: ['design', 'testing'], required: false, nullable: true },
    accepted: [['testing'], [null, 'design']],
    refused: [
      ...each(['live', ''], 'notOneOf', 'must be one of: design, testing'),
      [1, 'wrongType', 'must be a string'],
    ],
  },
  {
    kind: 'ListOf',
    decorator: () => ListOf({ enumName: 'Role', enum: ['admin', 'guest'] }, { optional: true }),
    schema: { ...list, isArray: true, enumName: 'Role', items: { type: 'string', enum: ['admin', 'guest'] } },
    accepted: [[[]], [['guest', 'admin']], [null, undefined]],
    refused: [
      [{}, 'wrongType', 'must be a list of strings'],
      [['root'], 'notOneOf', 'must be one of: admin, guest', 0],
      [['admin', 'admin'], 'repeatedItem', undefined, 1],
      [['admin', ['admin']], 'wrongType', undefined, 1],
    ],
  },
  {
    kind: 'Words',
    decorator: () => Words({ max: 3, nullable: true }),
    schema: { ...list, items: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' }, maxItems: 3 },
    accepted: [
      [
        ['b', '-', 'a-1'],
        ['-', 'a-1', 'b'],
      ],
      [[]],
      [null, null],
    ],
    refused: [
      [['b', 'A', 'a'], 'badFormat', 'must have 1 to 40 characters of a–z, 0–9 and -', 1],
      [['b', 'a', 'b'], 'repeatedItem', undefined, 2],
      [['d', 'c', 'b', 'a'], 'tooManyItems'],
    ],
  },
  {
    kind: 'Flag',
    decorator: () => Flag({ default: false }),
    schema: { type: Boolean, required: false, nullable: true },
    accepted: [[true], [false], [undefined, false]],
    refused: each(['true', 0], 'wrongType', 'must be true or false'),
  },
  {
    kind: 'Integer',
    decorator: () => Integer({ min: -1, max: 10 }),
    schema: { type: 'integer', format: 'int32', minimum: -1, maximum: 10, required: true },
    accepted: [[-1], [0], [9], [10], [JSON.parse('5.0'), 5], [JSON.parse('1e1'), 10]],
    refused: [
      ...each([1.5, '5', '', true, JSON.parse('1e400')], 'wrongType', 'must be a whole number from -1 to 10'),
      ...each([-2, 11, 1e300], 'outOfRange', 'must be a whole number from -1 to 10'),
    ],
  },
  {
    kind: 'Integer of more than 31 bits',
    decorator: () => Integer({ min: 0, max: 2 ** 31 }),
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 31, required: true },
    accepted: [[2 ** 31]],
    refused: [[2 ** 31 + 1, 'outOfRange']],
  },
]);

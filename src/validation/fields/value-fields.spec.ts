import { describeFields, each } from '../../../test/support/field-kinds';
import { fieldErrors } from '../../errors/field-error';
import { RecordId, RecordIds } from './id-fields';
import { Flag, Integer, ISO_DATE, IsoDate, ListOf, OneOf } from './value-fields';

const id = (digit: string): string => digit.repeat(24);
const ids = ['a', 'b', 'c', 'd', 'e'].map(id);
const idForm = 'must be 24 lower-case hexadecimal digits';
const dateForm = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';

const list = { type: 'array', uniqueItems: true, required: false, nullable: true };

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
    decorator: () => ListOf(['admin', 'guest'], { optional: true }),
    schema: { ...list, items: { type: 'string', enum: ['admin', 'guest'] } },
    accepted: [[[]], [['guest', 'admin']], [null, undefined]],
    refused: [
      [{}, 'wrongType', 'must be a list of strings'],
      [['root'], 'notOneOf', 'must be one of: admin, guest', 0],
      [['admin', 'admin'], 'repeatedItem', undefined, 1],
      [['admin', ['admin']], 'wrongType', undefined, 1],
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
    schema: { type: 'integer', minimum: -1, maximum: 10, required: true },
    accepted: [[-1], [0], [9], [10], [JSON.parse('5.0'), 5], [JSON.parse('1e1'), 10]],
    refused: [
      ...each([1.5, '5', '', true, JSON.parse('1e400')], 'wrongType', 'must be a whole number from -1 to 10'),
      ...each([-2, 11, 1e300], 'outOfRange', 'must be a whole number from -1 to 10'),
    ],
  },
  {
    kind: 'IsoDate',
    decorator: () => IsoDate(),
    schema: { type: String, pattern: ISO_DATE.source, required: true },
    accepted: [
      ...['2026-03-16', '2024-02-29', '0000-01-01', '9999-12-31', '2026-03-16T19:07:54.575Z'].map((date): [string] => [
        date,
      ]),
      ['2026-03-16T19:07:54Z', '2026-03-16T19:07:54.000Z'],
      ['2026-03-16T20:07:54.5759999+01:00', '2026-03-16T19:07:54.575Z'],
      ['2026-03-16T20:07+01:00', '2026-03-16T19:07:00.000Z'],
      ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
      ['2026-12-31T23:59:59-00:30', '2027-01-01T00:29:59.000Z'],
    ],
    refused: [
      [' ', 'blank'],
      [20260316, 'wrongType', 'must be a string'],
      ...each(
        [
          ...['2026-02-30', '2026-04-31', '2025-02-29', '2026-13-01', '2026-00-01', '2026-01-00', '2026-01-32'],
          ...['2026-3-16', '20260316', '2026-03', '2026-W12-1', '+002026-03-16', '-2026-03-16', '16.03.2026', 'now'],
          ...['2026-03-16Z', '2026-03-16 19:07:54Z', '2026-03-16t19:07:54z', '2026-03-16T19Z', ' 2026-03-16'],
          ...['2026-03-16T24:00:00Z', '2026-03-16T23:60:00Z', '2026-03-16T23:59:60Z', '2026-02-30T00:00:00Z'],
          ...['2026-03-16T19:07:54+24:00', '2026-03-16T19:07:54+01:60', '2026-03-16T19:07:54+01'],
          ...['2026-03-16T19:07:54.Z', '2026-03-16T19:07:54'],
          ...['2026-03-16T19:07:54+0100', '2026-03-16T19:07:54.0000000001Z', '2026-03-16T19:07:54Zx', 'x2026-03-16'],
          ...['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '2026-03-16T19:07.5Z', '2026-03-16\n'],
        ],
        'badFormat',
        dateForm,
      ),
    ],
  },
  {
    kind: 'IsoDate, optional',
    decorator: () => IsoDate({ default: null }),
    schema: { type: String, pattern: `^\\s*$|${ISO_DATE.source}`, required: false, nullable: true },
    accepted: [['2026-03-16'], [' ', null]],
    refused: [['x', 'badFormat']],
  },
]);

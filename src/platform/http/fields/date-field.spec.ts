import { describeFields, each } from '../../../../test/support/field-kinds';
import { ISO_DATE, IsoDate, lastMomentOf } from './date-field';
import { validateFields } from './validate-fields';

const dateForm = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';

const inMinutes = (minutes: number): string => new Date(Date.now() + 60_000 * minutes).toISOString();
const inDays = (days: number): string => inMinutes(24 * 60 * days).slice(0, 10);

describeFields([
  {
    kind: 'IsoDate',
    decorator: () => IsoDate(),
    schema: { type: String, pattern: ISO_DATE.source, required: true },
    accepted: [
      ...['2026-03-16', '2024-02-29', '0000-01-01', '9999-12-31', '2026-03-16T19:07:54.575Z'].map((date): [string] => [
        date,
      ]),
      ['2026-03-16T19:07:54Z'],
      ['2026-03-16T20:07:54.5759999+01:00'],
      ['2026-03-16T20:07+01:00'],
      ['2026-01-01T00:00:00+23:59'],
      ['2026-12-31T23:59:59-00:30'],
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
    kind: 'IsoDate, in the future',
    decorator: () => IsoDate({ future: true, nullable: true }),
    schema: { type: String, pattern: `^\\s*$|${ISO_DATE.source}`, required: false, nullable: true },
    accepted: [['9999-12-31'], [inDays(1)], [inMinutes(10)], [null]],
    refused: each([inMinutes(-1), inDays(-1)], 'outOfRange', 'must be in the future'),
  },
]);

test('A day is in the future until it ends in UTC, a moment is not once it has come', () => {
  class Term {
    @IsoDate({ future: true }) end!: string;
  }
  const now = '2026-03-16T19:07:54.575Z';
  jest.useFakeTimers({ now: new Date(now) });
  const errorsOf = (end: string) => validateFields(Term, { end }).fieldErrors;
  expect(errorsOf('2026-03-16')).toEqual([]);
  expect(errorsOf(now)).toMatchObject([{ code: 5009, title: 'end' }]);
  jest.useRealTimers();
});

test('The last moment of a date alone is that of its day in UTC', () => {
  const moments = ['2026-03-16', '2026-03-16T19:07:54Z'].map((date) => new Date(lastMomentOf(date)).toISOString());
  expect(moments).toEqual(['2026-03-16T23:59:59.999Z', '2026-03-16T19:07:54.000Z']);
});

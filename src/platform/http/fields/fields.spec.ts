import { IsoDate } from './date-field';
import { ExactlyOneOf } from './related-fields';
import { ListOfTexts } from './list-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';

/** What no field of a resource shows over HTTP: test/contract/bounds.ts has the rest. */

const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title }) => [code, title]);

it('a day is in the future until it ends in UTC, a moment is not once it has come', () => {
  class Term {
    @IsoDate({ future: true }) end!: string;
  }
  jest.useFakeTimers({ now: new Date('2026-03-16T19:07:54.575Z') });
  expect(errorsOf(Term, { end: '2026-03-16' })).toEqual([]);
  expect(errorsOf(Term, { end: '2026-03-16T19:07:54.575Z' })).toEqual([[5009, 'end']]);
  jest.useRealTimers();
});

it('a past date begins at most one day ahead, in UTC', () => {
  class Review {
    @IsoDate({ past: true }) at!: string;
  }
  jest.useFakeTimers({ now: new Date('2026-03-16T19:07:54.575Z') });
  for (const at of ['2026-03-17', '2026-03-17T19:07:54.575Z', '0001-01-01'])
    expect([at, errorsOf(Review, { at })]).toEqual([at, []]);
  for (const at of ['2026-03-18', '2026-03-17T19:07:54.576Z'])
    expect([at, errorsOf(Review, { at })]).toEqual([at, [[5009, 'at']]]);
  jest.useRealTimers();
});

it('a list of texts of one form takes each once, and at most so many', () => {
  class Rooms {
    @ListOfTexts({ max: 2, pattern: /^[A-Z]\d$/, message: 'must be like A1' }) rooms!: string[];
  }
  expect(errorsOf(Rooms, { rooms: ['B2', 'A1'] })).toEqual([]);
  expect(errorsOf(Rooms, { rooms: ['b', 'A1'] })).toEqual([[5007, 'rooms.0']]);
  expect(errorsOf(Rooms, { rooms: ['A1', 'A1'] })).toEqual([[5011, 'rooms.1']]);
  expect(errorsOf(Rooms, { rooms: ['A1', 'A2', 'A3'] })).toEqual([[5010, 'rooms']]);
});

@ExactlyOneOf('id', 'name', 'email')
class Choice {
  @Text({ max: 5, optional: true }) id?: string;
  @Text({ max: 5, optional: true }) name?: string;
  @Text({ max: 5, optional: true }) email?: string;
}

it('of fields that exclude each other, each after the first is one too many', () => {
  expect(errorsOf(Choice, { name: 'a' })).toEqual([]);
  expect(errorsOf(Choice, {})).toEqual([[5001, 'id']]);
  expect(errorsOf(Choice, { id: 'a', name: 'b', email: 'c' })).toEqual([
    [5003, 'name'],
    [5003, 'email'],
  ]);
});

import { IsoDate } from './date-field';
import { Password } from './password-fields';
import { ExactlyOneOf } from './related-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';
import { Integer } from './value-fields';

/** What no field of a resource shows over HTTP: test/contract/bounds.ts has the rest. */

const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title }) => [code, title]);

class Range {
  @Integer({ min: 0, max: 10 }) min!: number;
  @Integer({ min: 0, max: 10, optional: true }) max?: number;
}

const both = (code: number): unknown[] => [
  [code, 'min'],
  [code, 'max'],
];

it.each<[object, unknown[]]>([
  [{ min: 0, max: 10 }, []],
  [{ min: JSON.parse('5.0') as number, max: 1e1 }, []],
  [{ min: -1, max: 11 }, both(5009)],
  [{ min: '5', max: true }, both(5002)],
  [{ min: 1.5, max: {} }, both(5002)],
  [{ max: 4 }, [[5001, 'min']]],
])('integers: %j has the errors %j', (values, errors) => expect(errorsOf(Range, values)).toEqual(errors));

it('a day is in the future until it ends in UTC, a moment is not once it has come', () => {
  class Term {
    @IsoDate({ future: true }) end!: string;
  }
  jest.useFakeTimers({ now: new Date('2026-03-16T19:07:54.575Z') });
  expect(errorsOf(Term, { end: '2026-03-16' })).toEqual([]);
  expect(errorsOf(Term, { end: '2026-03-16T19:07:54.575Z' })).toEqual([[5009, 'end']]);
  jest.useRealTimers();
});

class Part {
  @Text({ max: 5 }) name!: string;
}

it('a DTO has own members only', () => {
  const sent = JSON.parse('{"name":" a ","__proto__":{"polluted":1},"constructor":{}}') as object;
  const { value } = validateFields(Part, sent);
  expect([Object.getPrototypeOf(value), { ...value }]).toEqual([Part.prototype, { name: 'a' }]);
  expect(errorsOf(Part, Object.create({ name: 'a' }) as object)).toEqual([[5001, 'name']]);
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

it.each([2000, 60_000])('%i combining marks, which take long to normalize, are not normalized', (length) => {
  class Secret {
    @Password() password!: string;
  }
  const normalize = jest.spyOn(String.prototype, 'normalize');
  errorsOf(Secret, { password: `a${'\u0301\u0316'.repeat(length / 2)}` });
  const longest = Math.max(0, ...(normalize.mock.contexts as string[]).map((text) => text.length));
  normalize.mockRestore();
  expect(longest).toBeLessThanOrEqual(1024);
});

it('a field is declared once', () => {
  class Again extends Part {}
  expect(() => Text({ max: 5 })(Again.prototype, 'name')).toThrow('The field name is declared twice.');
});

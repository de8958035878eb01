import { send } from '../../../../test/support/field-kinds';
import { IsoDate } from './date-field';
import { ListOf, RecordIds } from './list-fields';
import { EmailAddress, Text, Username, WebUrl } from './text-fields';
import { validateFields } from './validate-fields';
import { Flag, Integer, OneOf, RecordId } from './value-fields';

class Base {
  @Text({ max: 5 }) name!: string;
}

class Sample extends Base {
  @Flag({ optional: true }) isPublic?: boolean;
}

it('a DTO cannot declare a field of its base class again', () => {
  expect(() => Flag()(Sample.prototype, 'name')).toThrow('The field name is declared twice.');
});

it('a DTO is made from own members, without what it does not declare', () => {
  const sent = '{"name":" a ","_id":"x","__proto__":{"polluted":1},"constructor":{"prototype":{}}}';
  const { value, fieldErrors } = validateFields(Sample, JSON.parse(sent) as object);
  expect([Object.getPrototypeOf(value), { ...value }, fieldErrors]).toEqual([Sample.prototype, { name: 'a' }, []]);
  const inherited = Object.create({ name: 'a' }) as object;
  expect(validateFields(Sample, inherited).fieldErrors).toMatchObject([{ code: 5001, title: 'name' }]);
});

describe('a field that is left out', () => {
  const kindsOf = (presence: object): [string, () => PropertyDecorator][] => [
    ['Text', () => Text({ max: 5, ...presence })],
    ['WebUrl', () => WebUrl(presence)],
    ['EmailAddress', () => EmailAddress(presence)],
    ['Username', () => Username(presence)],
    ['RecordId', () => RecordId(presence)],
    ['IsoDate', () => IsoDate(presence)],
    ['RecordIds', () => RecordIds({ max: 4, ...presence })],
    ['OneOf', () => OneOf(['a'], presence)],
    ['ListOf', () => ListOf({ enumName: 'Letter', enum: ['a'] }, presence)],
    ['Flag', () => Flag(presence)],
    ['Integer', () => Integer({ min: 0, max: 5, ...presence })],
  ];
  const takesText = (kind: string): boolean => !/^(RecordIds|OneOf|ListOf|Flag|Integer)$/.test(kind);

  it.each(kindsOf({}))('is missing if %s is required', (_, decorator) => {
    expect(send(decorator, {}).fieldErrors).toEqual([{ code: 5001, title: 'field', detail: 'is required' }]);
  });

  it.each(kindsOf({ optional: true }))('is absent from the DTO if %s is optional', (kind, decorator) => {
    for (const values of [{}, { field: null }, ...(takesText(kind) ? [{ field: ' ' }, { field: '' }] : [])]) {
      expect(send(decorator, values)).toStrictEqual({ value: {}, fieldErrors: [] });
    }
  });

  it.each(kindsOf({ nullable: true }))('keeps its value if %s is nullable; null clears it', (kind, decorator) => {
    expect(send(decorator, {})).toStrictEqual({ value: {}, fieldErrors: [] });
    for (const field of [null, ...(takesText(kind) ? [' ', ''] : [])])
      expect(send(decorator, { field })).toStrictEqual({ value: { field: null }, fieldErrors: [] });
  });
});

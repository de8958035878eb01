import { readOnlyFieldsOf, ReadOnlyFields } from './read-only-fields';
import { requestFieldsOf } from './request-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';
import { Flag } from './value-fields';

@ReadOnlyFields('_id')
class Base {
  @Text({ max: 5 }) name!: string;
  @Text({ max: 5, optional: true }) description?: string;
}

@ReadOnlyFields('createdAt')
class Sample extends Base {
  @Flag({ optional: true }) isPublic?: boolean;
  @Flag({ optional: true }) isOpen?: boolean;
}

describe('a DTO', () => {
  it('knows its fields in the order of declaration, and the read-only ones, those of base classes first', () => {
    expect([Base, Sample, class {}].map(requestFieldsOf)).toEqual([
      ['name', 'description'],
      ['name', 'description', 'isPublic', 'isOpen'],
      [],
    ]);
    expect([Base, Sample, class {}].map(readOnlyFieldsOf)).toEqual([['_id'], ['_id', 'createdAt'], []]);
  });

  it('documents that read-only fields accept any value', () => {
    const schema = Reflect.getMetadata('swagger/apiModelProperties', Sample.prototype, 'createdAt') as object;
    const description = 'Read-only: accepted and ignored.';
    expect(schema).toEqual({ isArray: false, required: false, type: Object, anyOf: [{}], description });
  });

  it('cannot declare a field of its base class again', () => {
    expect(() => Flag()(Sample.prototype, 'name')).toThrow('The field name is declared twice.');
  });
});

describe('validateFields', () => {
  it('makes an instance of the DTO, without what it does not declare', () => {
    const { value, fieldErrors } = validateFields(Sample, { name: ' a ', other: 1, _id: 'x' });
    expect([value.constructor, { ...value }, fieldErrors]).toStrictEqual([Sample, { name: 'a' }, []]);
  });

  it('reports one error per field, in the order of the fields', () => {
    const values = { isOpen: 1, isPublic: 1, description: 1, name: 1 };
    const titles = validateFields(Sample, values).fieldErrors.map(({ code, title }) => [code, title]);
    expect(titles).toEqual(requestFieldsOf(Sample).map((name) => [5002, name]));
  });

  it('reads only own members, and copies no prototype', () => {
    const inherited = Object.create({ name: 'a' }) as object;
    expect(validateFields(Sample, inherited).fieldErrors).toMatchObject([{ code: 5001, title: 'name' }]);
    const polluting = JSON.parse('{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{}}}') as object;
    const { value } = validateFields(Sample, polluting);
    expect(Object.getPrototypeOf(value)).toBe(Sample.prototype);
    expect(value).not.toHaveProperty('polluted');
  });
});

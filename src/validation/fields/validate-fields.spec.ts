import { readOnlyFieldsOf, ReadOnlyFields } from './read-only-fields';
import { requestFieldsOf } from './field';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';
import { Flag } from './value-fields';

@ReadOnlyFields('_id')
class Base {
  @Text({ max: 5 }) name!: string;
}

@ReadOnlyFields('createdAt')
class Sample extends Base {
  @Flag({ optional: true }) isPublic?: boolean;
  @Flag({ optional: true }) isOpen?: boolean;
}

describe('a DTO', () => {
  it('knows its fields in the order of declaration, and the read-only ones, those of base classes first', () => {
    const fields = ['name', 'isPublic', 'isOpen'];
    expect([Base, Sample, class {}].map(requestFieldsOf)).toEqual([['name'], fields, []]);
    expect([Base, Sample, class {}].map(readOnlyFieldsOf)).toEqual([['_id'], ['_id', 'createdAt'], []]);
  });

  it('cannot declare a field of its base class again', () => {
    expect(() => Flag()(Sample.prototype, 'name')).toThrow('The field name is declared twice.');
  });
});

describe('validateFields', () => {
  it('makes an instance of the DTO from own members, without what it does not declare', () => {
    const sent = '{"name":" a ","_id":"x","__proto__":{"polluted":1},"constructor":{"prototype":{}}}';
    const { value, fieldErrors } = validateFields(Sample, JSON.parse(sent) as object);
    expect([Object.getPrototypeOf(value), { ...value }, fieldErrors]).toEqual([Sample.prototype, { name: 'a' }, []]);
    const inherited = Object.create({ name: 'a' }) as object;
    expect(validateFields(Sample, inherited).fieldErrors).toMatchObject([{ code: 5001, title: 'name' }]);
  });
});

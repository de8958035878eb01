import { alternativesOf, ExactlyOneOf, RequiredWith } from './related-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';

@ExactlyOneOf('id', 'name', 'email')
class Choice {
  @Text({ max: 5, optional: true })
  id?: string;

  @Text({ max: 5, optional: true })
  name?: string;

  @Text({ max: 5, optional: true })
  email?: string;
}

class Pair {
  @Text({ max: 5, optional: true })
  password?: string;

  @RequiredWith('password')
  @Text({ max: 5, optional: true })
  currentPassword?: string;
}

const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title, detail }) => [code, title, detail]);
const tooMany = (name: string, others: string): unknown[] => [5003, name, `cannot be given together with ${others}`];

describe('ExactlyOneOf', () => {
  it.each([{ id: 'a' }, { name: 'a' }, { email: 'a' }])('accepts %j', (values) => {
    expect(errorsOf(Choice, values)).toEqual([]);
  });

  it('reports the first error of a field that is also one too many', () => {
    expect(errorsOf(Choice, { id: 'a', name: 1 })).toEqual([[5002, 'name', 'must be a string']]);
  });

  it.each([{}, { id: null }, { name: ' ' }])('reports the first as missing if none is given: %j', (values) => {
    expect(errorsOf(Choice, values)).toEqual([[5001, 'id', 'is required, unless name or email is given']]);
  });

  it.each([
    [{ id: 'a', name: 'b' }, [tooMany('name', 'id')]],
    [{ id: 'a', email: 'b' }, [tooMany('email', 'id or name')]],
    [{ name: 'a', email: 'b' }, [tooMany('email', 'id or name')]],
    [{ id: 'a', name: 'b', email: 'c' }, [tooMany('name', 'id'), tooMany('email', 'id or name')]],
  ])('refuses each that follows a given one: %j', (values, expected) => {
    expect(errorsOf(Choice, values)).toEqual(expected);
  });

  it('gives the OpenAPI document its fields', () => {
    expect(alternativesOf(Choice)).toEqual(['id', 'name', 'email']);
    expect(alternativesOf(Pair)).toEqual([]);
  });
});

describe('RequiredWith', () => {
  it.each([{}, { currentPassword: 'a' }, { password: 'a', currentPassword: 'b' }])('accepts %j', (values) => {
    expect(errorsOf(Pair, values)).toEqual([]);
  });

  it('reports the field as missing if the other is given', () => {
    expect(errorsOf(Pair, { password: 'a' })).toEqual([
      [5001, 'currentPassword', 'is required together with password'],
    ]);
  });
});

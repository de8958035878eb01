import { judge } from './judge';
import { alternativesOf, ExactlyOneOf, RequiredWith } from './related-fields';
import { Text } from './text-fields';

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

const faultsOf = (dto: new () => object, values: object): unknown[] =>
  judge(dto, values).faults.map(({ code, title, detail }) => [code, title, detail]);
const tooMany = (name: string, others: string): unknown[] => [5003, name, `cannot be given together with ${others}`];

describe('ExactlyOneOf', () => {
  it.each([{ id: 'a' }, { name: 'a' }, { email: 'a' }])('takes %j', (values) => {
    expect(faultsOf(Choice, values)).toEqual([]);
  });

  it.each([{}, { id: null }, { name: ' ' }])('asks for the first where none is given: %j', (values) => {
    expect(faultsOf(Choice, values)).toEqual([[5001, 'id', 'is required, unless name or email is given']]);
  });

  it.each([
    [{ id: 'a', name: 'b' }, [tooMany('name', 'id')]],
    [{ id: 'a', email: 'b' }, [tooMany('email', 'id or name')]],
    [{ name: 'a', email: 'b' }, [tooMany('email', 'id or name')]],
    [{ id: 'a', name: 'b', email: 'c' }, [tooMany('name', 'id'), tooMany('email', 'id or name')]],
  ])('refuses what follows a given one: %j', (values, expected) => {
    expect(faultsOf(Choice, values)).toEqual(expected);
  });

  it('is there for the documentation', () => {
    expect(alternativesOf(Choice)).toEqual(['id', 'name', 'email']);
    expect(alternativesOf(Pair)).toEqual([]);
  });
});

describe('RequiredWith', () => {
  it.each([{}, { currentPassword: 'a' }, { password: 'a', currentPassword: 'b' }])('takes %j', (values) => {
    expect(faultsOf(Pair, values)).toEqual([]);
  });

  it('asks for the field where the other is given', () => {
    expect(faultsOf(Pair, { password: 'a' })).toEqual([
      [5001, 'currentPassword', 'is required together with password'],
    ]);
  });
});

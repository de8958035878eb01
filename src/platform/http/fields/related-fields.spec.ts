import { ExactlyOneOf, RequiredUnless, RequiredWith } from './related-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';

@ExactlyOneOf('id', 'name', 'email')
class Choice {
  @Text({ max: 5, optional: true }) id?: string;
  @Text({ max: 5, optional: true }) name?: string;
  @Text({ max: 5, optional: true }) email?: string;
}

class Link {
  @Text({ max: 5, nullable: true }) url?: string | null;
  @Text({ max: 5, nullable: true })
  @RequiredWith('url')
  type?: string | null;
}

const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title, detail }) => [code, title, detail]);
const tooMany = (name: string, others: string): unknown[] => [5003, name, `cannot be given together with ${others}`];

describe('ExactlyOneOf', () => {
  it('accepts one field, and reports the first as missing if none is given', () => {
    for (const values of [{ id: 'a' }, { name: 'a' }, { email: 'a' }]) expect(errorsOf(Choice, values)).toEqual([]);
    const missing = [5001, 'id', 'is required, unless name or email is given'];
    for (const values of [{}, { id: null }, { name: ' ' }]) expect(errorsOf(Choice, values)).toEqual([missing]);
  });

  it('reports the first error of a field that is also one too many', () => {
    expect(errorsOf(Choice, { id: 'a', name: 1 })).toEqual([[5002, 'name', 'must be a string']]);
  });

  it('refuses each that follows a given one', () => {
    const [name, email] = [tooMany('name', 'id'), tooMany('email', 'id or name')];
    expect(errorsOf(Choice, { id: 'a', name: 'b' })).toEqual([name]);
    expect(errorsOf(Choice, { id: 'a', email: 'b' })).toEqual([email]);
    expect(errorsOf(Choice, { name: 'a', email: 'b' })).toEqual([email]);
    expect(errorsOf(Choice, { id: 'a', name: 'b', email: 'c' })).toEqual([name, email]);
  });
});

test('RequiredWith reports a field as missing if the other one is given', () => {
  for (const values of [{}, { url: null }, { url: ' ' }, { type: 'a' }, { url: 'a', type: 'b' }])
    expect(errorsOf(Link, values)).toEqual([]);
  const missing = [5001, 'type', 'is required with url'];
  for (const values of [{ url: 'a' }, { url: 'a', type: null }]) expect(errorsOf(Link, values)).toEqual([missing]);
  expect(errorsOf(Link, { url: 'a', type: 1 })).toEqual([[5002, 'type', 'must be a string']]);
});

test('RequiredUnless reports a field as missing if the other one is not given', () => {
  class Account {
    @Text({ max: 5, nullable: true }) externalId?: string | null;
    @Text({ max: 5, optional: true })
    @RequiredUnless('externalId')
    password?: string;
  }
  for (const values of [{ externalId: 'a' }, { password: 'b' }, { externalId: 'a', password: 'b' }])
    expect(errorsOf(Account, values)).toEqual([]);
  const missing = [5001, 'password', 'is required, unless externalId is given'];
  for (const values of [{}, { externalId: null }]) expect(errorsOf(Account, values)).toEqual([missing]);
});

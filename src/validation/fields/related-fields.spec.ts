import { ExactlyOneOf } from './related-fields';
import { Text } from './text-fields';
import { validateFields } from './validate-fields';

@ExactlyOneOf('id', 'name', 'email')
class Choice {
  @Text({ max: 5, optional: true }) id?: string;
  @Text({ max: 5, optional: true }) name?: string;
  @Text({ max: 5, optional: true }) email?: string;
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

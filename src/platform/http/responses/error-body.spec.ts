import { errorBody } from './error-body';
import { apiError } from '../../base/errors/api-error';
import { FieldError, invalidContent } from '../../base/errors/field-error';

const errorsOf = (number: number, title = 'field', detail = 'is wrong'): FieldError[] =>
  Array.from({ length: number }, (_, index) => ({ code: 5002, title: `${title}${index}`, detail }));
const itemsOf = (errors: FieldError[]): FieldError[] => JSON.parse(errorBody(invalidContent(...errors))).message;

describe('the body of an error', () => {
  it('cuts a message at 2,000 characters, never within one', () => {
    const { message } = JSON.parse(errorBody(apiError('forbidden', '😀'.repeat(3000))));
    expect(message).toBe('😀'.repeat(2000));
    expect(JSON.parse(errorBody(apiError('forbidden', 'x'.repeat(2000)))).message).toHaveLength(2000);
  });

  it('cuts titles at 100 characters and details at 500, between characters, and replaces lone surrogates', () => {
    const titles = ['😀'.repeat(101), `a${'😀'.repeat(100)}`, 'x\ud800', '\udc00\ud800', 'x'.repeat(100)];
    const listed = itemsOf(titles.map((title) => ({ code: 5003, title, detail: 'x'.repeat(501) })));
    const expected = ['😀'.repeat(100), `a${'😀'.repeat(99)}`, 'x\ufffd', '\ufffd\ufffd', 'x'.repeat(100)];
    expect(listed).toEqual(expected.map((title) => ({ code: 5003, title, detail: 'x'.repeat(500) })));
  });

  it('shows 50 field errors; the last says how many are left out, and the errors themselves do not change', () => {
    expect(itemsOf(errorsOf(50)).at(-1)?.detail).toBe('is wrong');
    const errors = errorsOf(52);
    const detail = 'is wrong; more field errors left out: 2';
    expect(itemsOf(errors)).toEqual([...errorsOf(49), { code: 5002, title: 'field49', detail }]);
    expect(errors).toEqual(errorsOf(52));
  });

  it('escapes what a page could read as markup', () => {
    const message = '<a>&\u2028\u2029<it’s> "so" é 👍';
    const text = errorBody(apiError('forbidden', message));
    expect(text).toContain('"\\u003ca\\u003e\\u0026\\u2028\\u2029\\u003cit’s\\u003e \\"so\\" é 👍"');
    expect(JSON.parse(text).message).toBe(message);
  });
});

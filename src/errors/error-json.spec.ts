import { errorJson } from './error-json';

describe('failureJson', () => {
  it.each([
    ['<', '\\u003c'],
    ['>', '\\u003e'],
    ['&', '\\u0026'],
    ['\u2028', '\\u2028'],
    ['\u2029', '\\u2029'],
  ])('writes %j so that no page takes it for markup', (character, written) => {
    const message = `a${character}b${character}`;
    const text = errorJson({ message });
    expect(text).toBe(`{"message":"a${written}b${written}"}`);
    expect(JSON.parse(text)).toEqual({ message });
  });

  it('leaves everything else to JSON', () => {
    const value = { status: 'fail', message: 'it’s "so" \\ é 👍', code: 1900 };
    expect(errorJson(value)).toBe(JSON.stringify(value));
  });
});

import * as fc from 'fast-check';
import { caseFold, uniqueKey } from './case-fold';

describe('caseFold', () => {
  it.each(
    Object.entries({ Straße: 'STRASSE', ΟΔΟΣ: 'οδος', οδός: 'ΟΔΌΣ', 'e\u0301': 'É', '\u212a': 'k', ﬁ: 'FI', ǆ: 'ǅ' }),
  )('%s and %s differ in case only', (one, other) => expect(caseFold(one)).toBe(caseFold(other)));

  it.each(Object.entries({ İ: 'i', ı: 'j', é: 'e', Ｆ: 'f', ΟΔΟΣ: 'οδο' }))(
    '%s and %s differ in more than case',
    (one, other) => expect(caseFold(one)).not.toBe(caseFold(other)),
  );

  it('finds a word that ends in Σ where more follows', () => {
    expect(caseFold('ΟΔΟΣΗΜΑ')).toContain(caseFold('οδος'));
  });

  it('does the same to what is composed and what is not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(caseFold(text.normalize('NFD'))).toBe(caseFold(text));
      }),
    );
  });
});

describe('uniqueKey', () => {
  const dashes = '\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d';
  it.each<[string, string[]]>([
    ['Acme', ['Ａｃｍｅ', ...'\u00ad\u200d'.split('').map((hidden) => `Ac${hidden}me`)]],
    ['Acme', ['Acme\ufe0f', 'Acme\u3164', 'Acme\u2800', '\u2800Acme']],
    ['Straße', ['STRASSE']],
    ['ΟΔΟΣ', ['οδος']],
    ['é', ['e\u034f\u0301']],
    ['fine K2', ['ﬁne \u212a²']],
    ['Net Sizes', ['Net \u00a0\t Sizes', 'Net\u2028\u2029\u2800Sizes', 'Net \u200b Sizes']],
    ['A-B-C', dashes.split('').map((dash) => `A${dash}B${dash}C`)],
  ])('%j shares its key with %j', (one, others) =>
    expect(others.map(uniqueKey)).toEqual(others.map(() => uniqueKey(one))),
  );

  it('differs for names that look different', () => {
    const names = ['Acme 1', 'Acme1', 'Résumé', 'Resume', 'A-B', 'A--B', 'A B', 'A_B'];
    expect(new Set(names.map(uniqueKey)).size).toBe(names.length);
  });
});

test.each([caseFold, uniqueKey])('%p is stable for every character but ẞ', (key) => {
  const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
  // Its lower case ß has the upper case SS.
  expect(all.filter((one) => one.isWellFormed() && key(key(one)) !== key(one))).toEqual(['ẞ']);
});

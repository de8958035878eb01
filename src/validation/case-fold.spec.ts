import * as fc from 'fast-check';
import { caseFold, uniqueKey } from './case-fold';

describe('caseFold', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'ΟΔΌΣ'],
    ['e\u0301', 'É'],
    ['\u212a', 'k'],
    ['ŉ', 'ʼN'],
    ['ﬁ', 'FI'],
    ['ǆ', 'ǅ'],
  ])('%s and %s differ in case only', (one, other) => expect(caseFold(one)).toBe(caseFold(other)));

  it.each([
    ['İ', 'i'],
    ['ı', 'j'],
    ['é', 'e'],
    ['Ｆ', 'f'],
  ])('%s and %s differ in more than case', (one, other) => expect(caseFold(one)).not.toBe(caseFold(other)));

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

  it('is stable for every character but ẞ, whose lower case ß has the upper case SS', () => {
    const unstable = everyCharacter().filter((character) => caseFold(caseFold(character)) !== caseFold(character));
    expect(unstable).toEqual(['ẞ']);
  });
});

describe('uniqueKey', () => {
  it.each([
    ['Acme', 'Ａｃｍｅ'],
    ['fine', 'ﬁne'],
    ['Acme', 'Ac\u00adme'],
    ['Acme', 'A\u200dcme'],
    ['Acme', 'Acme\ufe0f'],
    ['Acme', 'Acme\u3164'],
    ['é', 'e\u034f\u0301'],
    ['Straße', 'STRASSE'],
    ['K2', '\u212a²'],
    ['ΟΔΟΣ', 'οδος'],
    ['Net Sizes', 'Net \u00a0\t Sizes'],
    ['Net Sizes', 'Net\u2028\u2029\u2800Sizes'],
    ['Net Sizes', 'Net \u200b Sizes'],
    ['Acme', 'Acme\u2800'],
    ['Acme', '\u2800Acme'],
    ...'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'
      .split('')
      .map((dash) => ['A-B-C', `A${dash}B${dash}C`]),
  ])('%j and %j share one key', (one, other) => expect(uniqueKey(one)).toBe(uniqueKey(other)));

  it('differs for names that look different', () => {
    expect(uniqueKey('Acme 1')).not.toBe(uniqueKey('Acme1'));
    expect(uniqueKey('Résumé')).not.toBe(uniqueKey('Resume'));
    expect(uniqueKey('A-B')).not.toBe(uniqueKey('A--B'));
    expect(uniqueKey('A-B')).not.toBe(uniqueKey('A B'));
    expect(uniqueKey('A_B')).not.toBe(uniqueKey('A-B'));
  });

  it('is stable for every character but ẞ', () => {
    const unstable = everyCharacter().filter((character) => uniqueKey(uniqueKey(character)) !== uniqueKey(character));
    expect(unstable).toEqual(['ẞ']);
  });
});

function everyCharacter(): string[] {
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint);
  return all.filter((point) => point < 0xd800 || point > 0xdfff).map((point) => String.fromCodePoint(point));
}

import * as fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text';
import { accountKey, caseFold, emailFold, emailKey, searchKey, uniqueKey } from './case-fold';

describe('caseFold', () => {
  it.each(
    Object.entries({
      Straße: 'STRASSE',
      ΟΔΟΣ: 'οδος',
      οδός: 'ΟΔΌΣ',
      'e\u0301': 'É',
      '\u212a': 'k',
      ﬁ: 'FI',
      ǆ: 'ǅ',
      ẞ: 'ss',
    }),
  )('%s and %s differ in case only', (one, other) => expect(caseFold(one)).toBe(caseFold(other)));

  it.each(Object.entries({ İ: 'i', ı: 'j', é: 'e', Ｆ: 'f', ΟΔΟΣ: 'οδο' }))(
    '%s and %s differ in more than case',
    (one, other) => expect(caseFold(one)).not.toBe(caseFold(other)),
  );

  it('does the same to composed and decomposed texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
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
    ['izmir', ['İzmir', 'İZMİR', 'IZMIR', 'ızmır', 'i\u0307zmir']],
    ['ị', ['İ\u0323', 'i\u0323\u0307']],
    ['fine K2', ['ﬁne \u212a²']],
    ['Net Sizes', ['Net \u00a0\t Sizes', 'Net\u2028\u2029\u2800Sizes', 'Net \u200b Sizes']],
    ['A-B-C', dashes.split('').map((dash) => `A${dash}B${dash}C`)],
  ])('%j shares its key with %j', (one, others) =>
    expect(others.map(uniqueKey)).toEqual(others.map(() => uniqueKey(one))),
  );

  it('differs for names that look different', () => {
    const names = ['Acme 1', 'Acme1', 'Résumé', 'Resume', 'A-B', 'A--B', 'A B', 'A_B', 'Fik\u0307', 'Fik'];
    expect(new Set(names.map(uniqueKey)).size).toBe(names.length);
  });
});

describe('searchKey', () => {
  it('has one apostrophe for all, those that NFKC replaces too, and keeps the spaces at the ends', () => {
    const apostrophes = "'`´ʹʻʼʽʾʿˈʹ՚׳ߴߵ᾽᾿῾‘’‚‛′‵❛❜Ꞌꞌ＇｀".split('');
    expect(apostrophes.map((one) => searchKey(` O${one}Brien `))).toEqual(apostrophes.map(() => " o'brien "));
    expect(searchKey('OBrien')).toBe('obrien');
  });
});

describe('emailKey', () => {
  it.each([
    [
      'x@xn--bcher-kva.example',
      [
        'x@bücher.example',
        'X@BÜCHER.EXAMPLE',
        'x@Bu\u0308cher.example',
        'X@XN--BCHER-KVA.example',
        'x@bücher.example ',
      ],
    ],
    ['x@xn--strae-oqa.example', ['x@straße.example', 'x@STRAẞE.example']],
    ['x@xn--mgbn2ecje63gr19l.example', ['x@می\u200cخواهم.example']],
    ['x@127.1', ['X@127.1']],
    ['straße@a.example', ['STRASSE@A.example']],
  ])('is one for all spellings of %s', (one, others) => {
    expect(others.map(emailKey)).toEqual(others.map(() => emailKey(one)));
    expect(others.map(emailFold)).toEqual(others.map(() => emailFold(one)));
  });

  it('differs for different mailboxes, and for invalid addresses', () => {
    const addresses = [
      'admin@a',
      'admın@a',
      'x@strasse.example',
      'x@straße.example',
      'x@ı.example',
      'x@i.example',
      'x',
      'x@',
    ];
    for (const key of [emailKey, emailFold]) expect(new Set(addresses.map(key)).size).toBe(addresses.length);
  });
});

describe('for every code point', () => {
  const all = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point));
  const parts = Array.from({ length: 0x110000 / 1024 }, (_, part) =>
    all.slice(part * 1024, (part + 1) * 1024).filter((one) => one.isWellFormed()),
  );
  /** The texts for which something does not hold, which is checked for many of them together. */
  const failing = (holds: (text: string) => boolean): string[] =>
    parts.filter((part) => !holds(part.join('|'))).flatMap((part) => part.filter((one) => !holds(one)));

  it.each([caseFold, uniqueKey, accountKey, emailKey, emailFold, searchKey])('%p is stable', (key) => {
    expect(failing((text) => key(key(text)) === key(text))).toEqual([]);
  });

  it.each([
    [caseFold, []],
    [uniqueKey, []],
    [searchKey, []],
    [accountKey, ['ı']],
    [emailKey, ['ı']],
  ])('%p is the same for all of its cases, but %j', (key, others) => {
    const cases = (text: string): string[] => [text.toLowerCase(), text.toUpperCase()];
    expect(failing((text) => cases(text).every((other) => key(other) === key(text)))).toEqual(others);
  });
});

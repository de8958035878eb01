import * as fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text';
import { uniqueKey } from './case-fold';
import {
  codePointLength,
  isAllowedText,
  isVisible,
  normalizeText,
  TEXT_PATTERN,
  trim,
  visibleText,
  withoutForbidden,
} from './text';

describe('normalizeText', () => {
  it.each([
    [' e\u0301\r\nb\r\n\r\nc\n ', 'é\nb\n\nc'],
    ['\u0085\u3000\u2029a\u00a0', 'a'],
    ['\ufeff \ufeff\u200ba\ufeffb\ufeff\n', '\u200ba\ufeffb'],
  ])('composes, keeps one kind of line end, and trims exactly White_Space and U+FEFF: %j', (text, expected) => {
    expect(normalizeText(text, 255)).toBe(expected);
  });

  it('is stable: a stored text does not change when it is sent again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = normalizeText(text, 255);
        // A lone \r before a \r\n leaves a new \r\n; it is a control character and never stored.
        fc.pre(!stored.includes('\r'));
        expect(normalizeText(stored, 255)).toBe(stored);
      }),
    );
  });

  it('normalizes every text that may come down to the bound', () => {
    const longest = '\u03b1\u0313\u0300\u0345'.repeat(30);
    expect(codePointLength(normalizeText(longest, 30))).toBe(30);
    expect(codePointLength(normalizeText(`${longest}b`, 30))).toBeGreaterThan(30);
  });
});

const tags = (letters: string): string =>
  Array.from(letters, (letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');

describe('isAllowedText', () => {
  it.each([
    ['line', ['😀 a\u200eb'], ['a\u0000', 'a\tb', 'a\nb', 'a\u009f', 'a\ud800', '\udc00\ud800']],
    ['paragraphs', ['a\tb\nc'], ['a\rb', 'a\u000bb', 'a\udfff']],
    ['name', ['👩\u200d💻', 'می\u200cخواهم'], ['a\u200eb', 'a\u00adb', '\u{e0041}', 'a\nb']],
    [
      'name',
      ['של\u200fום', 'של (2)\u200e (3) ום', 'سلام\u200eسلام', 'ࠀ\u200fࠁ', 'ࡀ\u200eࡁ', '𐤀\u200f𐤁', '𞠀\u200f𞠁'],
      ['של\u200fa', 'a\u200fשל', 'של\u200f', 'של\u202eום'],
    ],
    ['name', [`🏴${tags('gbsct')}\u{e007f} x`], [`🏴${tags('gb')}`, `x${tags('gb')}\u{e007f}`, '🏴\u{e007f}']],
    ['name', ['❤\ufe0f', '1\ufe0f\u20e3', '葛\u{e0100}', 'ᠠ\u180b'], ['Acme\ufe0f', 'a\u{e0100}', 'a\u180b', '\ufe0f']],
    [
      'name',
      [],
      [...'\u115f\u1160\u3164\uffa0\u034f\u17b4\u2800\u2028\u2029\u2060\u2065\u061c\ufff9\u{1d173}'].map(
        (c) => `a${c}b`,
      ),
    ],
  ] as const)('of a %s allows %j and not %j', (kind, allowed, forbidden) => {
    expect(allowed.filter((text) => !isAllowedText(text, kind))).toEqual([]);
    expect(forbidden.filter((text) => isAllowedText(text, kind))).toEqual([]);
  });
});

describe('TEXT_PATTERN', () => {
  const matches = (text: string): boolean => new RegExp(TEXT_PATTERN, 'u').test(text);

  it('matches every text that is accepted', () => {
    fc.assert(
      fc.property(anyText, (sent) => {
        const text = normalizeText(sent, 255);
        if (isAllowedText(text, 'paragraphs')) expect(matches(sent)).toBe(true);
      }),
      { numRuns: 2000, examples: [['\u0085 a\r\nb\t'], [' \u200da\u200c']] },
    );
  });
});

describe('isVisible', () => {
  it('is false of white space and of characters that show nothing', () => {
    const texts = ['', ' \u3000', '\u200d\u200c', '\u3164 \u115f\u034f', '\u2800', '\u3164a', '\u0301', '👍\ufe0f'];
    expect(texts.filter(isVisible)).toEqual(['\u3164a', '\u0301', '👍\ufe0f']);
  });

  it('is true of every text whose unique key is not empty, or blank', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(trim(uniqueKey(text)) !== '').toBe(isVisible(text));
      }),
      { numRuns: 2000, examples: [['\u3164'], ['\uffa0'], ['\u00ad'], ['\u200d'], ['\u2800']] },
    );
  });
});

test('withoutForbidden leaves out all that a text of its kind may not have, and nothing else', () => {
  expect(withoutForbidden('\u200ba\u0007\u200eb\t👩\u200d💻\u200b', 'name')).toBe('ab👩\u200d💻');
  expect(withoutForbidden('\u0007a\tb\u0007\n', 'paragraphs')).toBe('a\tb\n');
});

test('visibleText writes out what shows nothing or controls a terminal, but for line breaks', () => {
  expect(visibleText('a\u001b[1m\n\u2028\u2029\u{e0041}😀\ue000 é\u001b')).toBe(
    'a\\u{1b}[1m\n\\u{2028}\\u{2029}\\u{e0041}😀\\u{e000} é\\u{1b}',
  );
});

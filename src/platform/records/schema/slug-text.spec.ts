import * as fc from 'fast-check';
import { anyCharacter } from '../../../../test/support/any-text';
import { slugBase } from './slug-text';

describe('slugBase', () => {
  it.each([
    ['foo', 'foo'],
    ['foo 1', 'foo-1'],
    ['foo!', 'foo'],
    ['ünï', 'uni'],
    ["O'Reilly & Sons", 'o-reilly-sons'],
    ['特殊天', 'te-shu-tian'],
    ['Straße', 'strasse'],
    ['Москва', 'moskva'],
    ['Ｆｕｌｌ', 'full'],
    ['①②③', '123'],
    ['WEIẞ', 'weiss'],
    ['ᲗᲑᲘᲚᲘᲡᲘ', 't-bilisi'],
    ['ᏣᎳᎩ', 'tsalagi'],
    ['  --A__b--  ', 'a-b'],
    ['½ price', '1-2-price'],
    ['constructor', 'constructor'],
    ['__proto__', 'proto'],
    ['👍 ok', 'ok'],
    ['😀', 'organization'],
    ['!!!', 'organization'],
    ['a\ud800b', 'ab'],
    ['a'.repeat(80), 'a'.repeat(80)],
    ['a'.repeat(81), 'a'.repeat(80)],
    [`${'a'.repeat(50)} ${'b'.repeat(29)}`, `${'a'.repeat(50)}-${'b'.repeat(29)}`],
    [`${'a'.repeat(50)} ${'b'.repeat(30)}`, 'a'.repeat(50)],
    [`${'a'.repeat(40)} ${'b'.repeat(38)} c`, `${'a'.repeat(40)}-${'b'.repeat(38)}`],
    [`a ${'b'.repeat(90)}`, 'a'],
  ])('%j becomes %s', (name, base) => expect(slugBase(name, 'organization')).toBe(base));

  it('has every letter in both cases, if the library has one of them', () => {
    const all = Array.from({ length: 0x20000 }, (_, point) => String.fromCodePoint(point));
    const hasNone = (text: string): boolean => slugBase(text, '-') === '-';
    expect(all.filter((one) => /\p{Lu}|\p{Lt}/u.test(one) && hasNone(one) && !hasNone(one.toLowerCase()))).toEqual([]);
  });

  it('is always a slug, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 255 }), (name) => {
        const base = slugBase(name, 'api');
        expect(base).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(base.length).toBeLessThanOrEqual(80);
        expect(slugBase(base, 'api')).toBe(base);
      }),
    );
  });
});

import * as fc from 'fast-check';
import { parseObject } from './json';

const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('parseObject', () => {
  const notValid = 'is not valid JSON.';
  it.each<[string, string]>([
    ...['', '[]', 'null', '1', '"a"'].map((text): [string, string] => [text, 'must be a JSON object.']),
    ...[' ', '{"a":', '{"a":treu}', '\ufeff{}'].map((text): [string, string] => [text, notValid]),
    ['{"a":1', 'position 6.'],
    ['{a:1}', 'position 1.'],
    ['{', 'position 1.'],
    ['{"a":1,}', 'position 7.'],
    ['{}{}', 'position 2.'],
    ...["{'a':1}", '{"a":"\n"}', '{"a":NaN}', '{"a":01}', '{"a":"\\x"}', '{"a":1}//'].map((text): [string, string] => [
      text,
      'not valid JSON',
    ]),
  ])('says what is wrong with %j: %s', (text, reason) => {
    const message = expect.stringContaining(reason) as string;
    expect(() => parseObject(text)).toThrow(expect.objectContaining({ status: 400, code: 1001, message }) as Error);
  });

  it('accepts 32 levels of objects or lists, not 33', () => {
    const lists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    for (const make of [nested, lists]) {
      expect(parseObject(make(32))).toHaveProperty('a');
      expect(() => parseObject(make(33))).toThrow('deeper than 32 levels');
    }
  });

  it('accepts any number of containers next to each other', () => {
    const value = { a: Array(33).fill([]), b: Array(33).fill({}) };
    expect(parseObject(JSON.stringify(value))).toEqual(value);
  });

  it('counts members with the same name once, and uses the last', () => {
    const members = '"a":1,'.repeat(1001);
    expect(parseObject(`{${members}"a":2}`)).toEqual({ a: 2 });
  });

  it('accepts 1,000 members and elements at all levels together, not 1,001', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat({ max: 6 }), (value, indent) => {
        const text = JSON.stringify({ filled: Array(999 - count(value)).fill(0), ...value }, null, indent);
        fc.pre(!Object.hasOwn(value, 'filled'));
        expect(Object.keys(parseObject(text)).length).toBe(Object.keys(value).length + 1);
        const more = text.replace('{', '{"one more":0,');
        expect(() => parseObject(more)).toThrow('more than 1000 members and elements');
      }),
    );
  });
});

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + 1 + count(member), 0);
}

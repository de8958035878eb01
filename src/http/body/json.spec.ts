import * as fc from 'fast-check';
import { MAX_DEPTH, MAX_MEMBERS, parseObject } from './json';

const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const refused = expect.objectContaining({ status: 400, code: 1001 }) as Error;
const isRefused = (text: string): void => expect(() => parseObject(text)).toThrow(refused);

describe('parseObject', () => {
  it.each([
    '',
    ' ',
    '[]',
    'null',
    '1',
    '"a"',
    '{',
    '{"a":1}}',
    '{a:1}',
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{"a":"\n"}',
  ])('refuses %j, which is no JSON object', isRefused);

  it.each(['{"a":NaN}', '{"a":01}', '{"a":"\\x"}', '{}{}', '{"a":1}//'])('refuses %j', isRefused);

  it('takes 32 levels and not 33, of objects and lists alike', () => {
    expect(parseObject(nested(MAX_DEPTH))).toHaveProperty('a');
    isRefused(nested(MAX_DEPTH + 1));
    const lists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(parseObject(lists(MAX_DEPTH))).toHaveProperty('a');
    isRefused(lists(MAX_DEPTH + 1));
    expect(() => parseObject(lists(MAX_DEPTH + 1))).toThrow('deeper than 32 levels');
  });

  it('takes any number of containers side by side', () => {
    const value = { a: Array(MAX_DEPTH + 1).fill([]), b: Array(MAX_DEPTH + 1).fill({}) };
    expect(parseObject(JSON.stringify(value))).toEqual(value);
  });

  it('takes 1,000 members and elements together and not 1,001', () => {
    const sample = (elements: number): string => `{"a": [${Array(elements).fill('"x,]"').join(' ,')}], "b" :{ }}`;
    expect(parseObject(sample(MAX_MEMBERS - 2))).toHaveProperty('b', {});
    isRefused(sample(MAX_MEMBERS - 1));
    expect(() => parseObject(sample(MAX_MEMBERS))).toThrow('more than 1000 members and elements');
  });

  it('counts members with the same name', () => {
    const sample = (members: number): string => `{${Array(members).fill('"a":1').join()}}`;
    expect(parseObject(sample(MAX_MEMBERS))).toEqual({ a: 1 });
    isRefused(sample(MAX_MEMBERS + 1));
  });

  it('counts what JSON.parse would make', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat({ max: 6 }), (value, indent) => {
        const text = JSON.stringify({ filled: Array(MAX_MEMBERS - 1 - count(value)).fill(0), ...value }, null, indent);
        fc.pre(!Object.hasOwn(value, 'filled'));
        expect(Object.keys(parseObject(text)).length).toBe(Object.keys(value).length + 1);
        isRefused(text.replace('{', '{"one more":0,'));
      }),
    );
  });

  it('is not misled by brackets, commas and quotes in strings', () => {
    const value = { a: `\\"${'[{,'.repeat(2000)}\\`, b: '"' };
    expect(parseObject(JSON.stringify(value))).toEqual(value);
  });

  it('takes the last of two members with one name', () => expect(parseObject('{"a":1,"a":2}')).toEqual({ a: 2 }));

  it('takes __proto__ as a member like others', () => {
    const value = parseObject('{"__proto__":{"polluted":1}}');
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ['brackets', '['.repeat(65_536)],
    ['objects', '{"a":'.repeat(13_000)],
    ['commas', `{"a":[${','.repeat(65_000)}`],
    ['an open string', `{"${'\\'.repeat(65_000)}`],
    ['white space', ' '.repeat(65_536)],
  ])('refuses 64 KiB of %s in no time', (_, text) => {
    const began = performance.now();
    isRefused(text);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + 1 + count(member), 0);
}

import * as fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import { parseObject } from './json';
import { JSON_IN_UTF8, requireMediaType } from './media-type';

const error = (status: number, code: number): Error => expect.objectContaining({ status, code }) as Error;
const json = { 'content-type': 'application/json' };
const typed = (...types: string[]): IncomingHttpHeaders[] => types.map((type) => ({ 'content-type': type }));
const jsonWith = (...parameters: string[]): IncomingHttpHeaders[] =>
  typed(...parameters.map((one) => `application/json; ${one}`));
const encoded = (...codings: string[]): IncomingHttpHeaders[] =>
  codings.map((coding) => ({ ...json, 'content-encoding': coding }));
const transferred = (...codings: string[]): IncomingHttpHeaders[] =>
  codings.map((coding) => ({ ...json, 'transfer-encoding': coding }));

describe('the media type', () => {
  const check = (headers: IncomingHttpHeaders) => () => requireMediaType(headers, JSON_IN_UTF8);

  it('is JSON, which may be chunked, but not compressed, and may be missing where there is no body', () => {
    for (const headers of [
      ...typed('application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json;'),
      ...typed('application/json ; Charset="UTF-8"', 'application/json; charset=utf8'),
      ...jsonWith('version=1', 'profile="a;charset=latin1"', 'odata=none;charset=UTF8 ; q', 'x="\\"";charset="utf8"'),
      ...transferred('chunked', 'Chunked', ', chunked'),
      ...encoded('Identity', ''),
      ...[{}, { 'content-length': '0' }],
    ])
      expect(check(headers)).not.toThrow();
  });

  it.each([
    ...typed('', 'text/plain', 'application/jsonx', 'application/ld+json', 'application/json, text/plain'),
    ...typed('x-application/json', 'text/plain; as=application/json', 'multipart/form-data; boundary=x'),
    ...jsonWith('charset=latin1', 'charset=utf-8; charset=latin1', 'charset=utf-16', 'charset=utf-8x', 'charset='),
    ...jsonWith('version=1; charset=latin1', 'a="x"; charset = latin1', 'charset="latin1', 'charset=utf--8'),
    ...encoded('gzip', 'br', 'identity, gzip', 'x'),
    ...transferred('gzip, chunked', 'GZIP', 'deflate,chunked', 'identity, x-gzip, chunked'),
    ...[{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }],
  ])('is nothing else: %j gets 415', (headers) => expect(check(headers)).toThrow(error(415, 1003)));

  it.each<[string, IncomingHttpHeaders[]]>([
    [`The Content-Type is "a??"${'x'.repeat(96)}". Send`, typed(`a\u00e9\t"${'x'.repeat(100)}`)],
    ['The Content-Type is missing. Send application/json; charset=utf-8.', [{ 'content-length': '2' }]],
    ['The Content-Encoding is "gzip". Send the body uncompressed.', encoded('gzip')],
    ['The Transfer-Encoding is "gzip". Send the body uncompressed.', transferred('gzip')],
  ])('that is refused is repeated, with what to send: %s', (message, all) => {
    for (const headers of all) expect(check(headers)).toThrow(message);
  });
});

describe('parseObject', () => {
  it.each<[string, string[]]>([
    ['must be a JSON object.', ['', '[]', 'null', '1', '"a"']],
    ['is not valid JSON', [' ', '{"a":', '{"a":treu}', '\ufeff{}', "{'a':1}", '{"a":"\n"}', '{"a":NaN}', '{"a":01}']],
    ['position 1.', ['{a:1}', '{']],
    ['position 7.', ['{"a":1,}']],
  ])('says what is wrong: %s %j', (reason, texts) => {
    for (const text of texts) {
      expect(() => parseObject(text)).toThrow(error(400, 1001));
      expect(() => parseObject(text)).toThrow(reason);
    }
  });

  it('accepts 32 levels of objects or lists, not 33, and any number next to each other', () => {
    const objects = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    const lists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    for (const make of [objects, lists]) {
      expect(parseObject(make(32))).toHaveProperty('a');
      expect(() => parseObject(make(33))).toThrow('deeper than 32 levels');
    }
    const value = { a: Array(33).fill([]), b: Array(33).fill({}) };
    expect(parseObject(JSON.stringify(value))).toEqual(value);
  });

  it('accepts 1,000 members and elements at all levels together, not 1,001', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value
        ? Object.values(value).reduce<number>((sum, member) => sum + 1 + count(member), 0)
        : 0;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat({ max: 6 }), (value, indent) => {
        fc.pre(!Object.hasOwn(value, 'filled'));
        const text = JSON.stringify({ filled: Array(999 - count(value)).fill(0), ...value }, null, indent);
        expect(Object.keys(parseObject(text)).length).toBe(Object.keys(value).length + 1);
        expect(() => parseObject(text.replace('{', '{"one more":0,'))).toThrow('more than 1000 members and elements');
      }),
    );
  });
});

import type { IncomingHttpHeaders } from 'node:http';
import { JSON_IN_UTF8, MULTIPART, requireMediaType } from './media-type';

const json = { 'content-type': 'application/json' };
const check = (headers: IncomingHttpHeaders) => () => requireMediaType(headers, JSON_IN_UTF8);

const typed = (type: string): IncomingHttpHeaders => ({ 'content-type': type });
const encoded = (coding: string): IncomingHttpHeaders => ({ ...json, 'content-encoding': coding });
const transferred = (coding: string): IncomingHttpHeaders => ({ ...json, 'transfer-encoding': coding });

describe('the media type', () => {
  it.each([
    ...['application/json', 'Application/JSON', 'application/json;charset=utf-8'].map(typed),
    ...['application/json ; Charset="UTF-8"', 'application/json;', 'application/json; charset=utf8'].map(typed),
    ...['version=1', 'profile="a;charset=latin1"', 'odata=none;charset=UTF8 ; q', 'x="\\"";charset="utf8"'].map(
      (parameters) => typed(`application/json; ${parameters}`),
    ),
    ...['chunked', 'Chunked', ', chunked'].map(transferred),
    ...['Identity', ''].map(encoded),
  ])('is JSON, which may be chunked, but not compressed: %j', (headers) => {
    expect(check(headers)).not.toThrow();
  });

  it.each([
    ...['', 'text/plain', 'application/jsonx', 'application/ld+json', 'application/json, text/plain'].map(typed),
    ...['x-application/json', 'text/plain; as=application/json', 'multipart/form-data; boundary=x'].map(typed),
    ...[
      'charset=latin1',
      'charset=utf-8; charset=latin1',
      'charset=utf-16',
      'charset=utf-8x',
      'charset=utf--8',
      'charset=',
    ].map((parameters) => typed(`application/json; ${parameters}`)),
    ...['version=1; charset=latin1', 'a="x"; charset = latin1', 'charset="latin1'].map((parameters) =>
      typed(`application/json; ${parameters}`),
    ),
    ...['gzip', 'br', 'identity, gzip', 'x'].map(encoded),
    ...['gzip, chunked', 'GZIP', 'deflate,chunked', 'identity, x-gzip, chunked'].map(transferred),
    ...[{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }],
  ])('is nothing else, and not missing: %j gets 415', (headers) => {
    expect(check(headers)).toThrow(expect.objectContaining({ status: 415, code: 1003 }) as Error);
  });

  const uncompressed = 'Send the body uncompressed.';
  it.each([
    [typed('text/plain'), 'The Content-Type is "text/plain". Send application/json; charset=utf-8.'],
    [{ 'content-length': '2' }, 'The Content-Type is missing. Send application/json; charset=utf-8.'],
    [
      typed(`a\u00e9\t"${'x'.repeat(100)}`),
      `The Content-Type is "a??"${'x'.repeat(96)}". Send application/json; charset=utf-8.`,
    ],
    [encoded('gzip'), `The Content-Encoding is "gzip". ${uncompressed}`],
    [transferred('gzip, chunked'), `The Transfer-Encoding is "gzip, chunked". ${uncompressed}`],
  ])('that is refused is repeated, with what to send: %j', (headers, message) => {
    expect(check(headers)).toThrow(message);
  });

  it('may be missing where there is no body', () => {
    for (const headers of [{}, { 'content-length': '0' }]) expect(check(headers)).not.toThrow();
  });

  it('of a file is that of a form', () => {
    const form = (type: string) => () => requireMediaType(typed(type), MULTIPART);
    for (const type of ['multipart/form-data', 'Multipart/Form-Data ; boundary=x']) expect(form(type)).not.toThrow();
    for (const type of ['x-multipart/form-data', 'multipart/form-datax', 'application/json'])
      expect(form(type)).toThrow('Send multipart/form-data.');
  });
});

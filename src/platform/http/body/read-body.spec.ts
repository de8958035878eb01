import type { IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readBody } from './read-body';
import { UnreadBody } from './unread-body';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const json = { 'content-type': 'application/json' };
const streamOf = (...chunks: (string | Buffer)[]): Readable => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
const read = (headers: IncomingHttpHeaders, stream: Readable, limit = 100): Promise<object> =>
  readBody(new UnreadBody(headers, stream, limit));
const error = (status: number, code: number): object => expect.objectContaining({ status, code }) as object;

const typed = (type: string): IncomingHttpHeaders => ({ 'content-type': type });
const encoded = (coding: string): IncomingHttpHeaders => ({ ...json, 'content-encoding': coding });
const transferred = (coding: string): IncomingHttpHeaders => ({ ...json, 'transfer-encoding': coding });

describe('the media type', () => {
  it.each([
    ...['application/json', 'Application/JSON', 'application/json;charset=utf-8'].map(typed),
    ...['application/json ; Charset="UTF-8"', 'application/json;'].map(typed),
    ...['chunked', 'Chunked', ', chunked'].map(transferred),
    ...['Identity', ''].map(encoded),
  ])('is JSON, which may be chunked, but not compressed: %j', async (headers) => {
    await expect(read(headers, streamOf('{"a":1}'))).resolves.toEqual({ a: 1 });
  });

  it.each([
    ...['', 'text/plain', 'application/jsonx', 'application/ld+json', 'application/json, text/plain'].map(typed),
    ...['x-application/json', 'text/plain; as=application/json', 'multipart/form-data; boundary=x'].map(typed),
    ...['charset=latin1', 'charset=utf-8; charset=latin1', 'charset=utf-16', 'charset=utf-8x', 'version=1'].map(
      (parameters) => typed(`application/json; ${parameters}`),
    ),
    ...['gzip', 'br', 'identity, gzip', 'x'].map(encoded),
    ...['gzip, chunked', 'GZIP', 'deflate,chunked', 'identity, x-gzip, chunked'].map(transferred),
    ...[{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }],
  ])('is nothing else, and not missing: %j gets 415', async (headers) => {
    await expect(read(headers, streamOf('{}'))).rejects.toEqual(error(415, 1003));
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
  ])('that is refused is repeated, with what to send: %j', async (headers, message) => {
    await expect(read(headers, streamOf('{}'))).rejects.toThrow(message);
  });

  it('is checked before the size, and the size before the JSON', async () => {
    const long = { 'content-length': '101' };
    await expect(read({ ...long, 'content-type': 'a/b' }, streamOf('['))).rejects.toEqual(error(415, 1003));
    await expect(read({ ...long, ...json }, streamOf('['))).rejects.toEqual(error(413, 1004));
  });
});

describe('the size', () => {
  const sized = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  it('may be the limit, in bytes', async () => {
    await expect(read(json, streamOf(sized(100).slice(0, 50), sized(100).slice(50)))).resolves.toHaveProperty('a');
    await expect(read({ ...json, 'content-length': '100' }, streamOf(sized(100)))).resolves.toHaveProperty('a');
    await expect(read(json, streamOf(sized(101)))).rejects.toThrow('The body is larger than 100 bytes.');
    await expect(read(json, streamOf(`{"a":"${'é'.repeat(47)}"}`))).rejects.toEqual(error(413, 1004));
  });

  it('is checked by Content-Length before a byte is read', async () => {
    const stream = streamOf('{}');
    await expect(read({ ...json, 'content-length': '101' }, stream)).rejects.toEqual(error(413, 1004));
    expect(stream.readableDidRead).toBe(false);
  });

  it('bounds what is kept: no chunk is, of which a client can send one for each byte', async () => {
    const stream = new PassThrough();
    const reading = read(json, stream);
    const chunks = [...'{"a":1}'].map((character) => Buffer.from(new TextEncoder().encode(character).buffer));
    const kept = chunks.map((chunk) => new WeakRef(chunk));
    for (const chunk of chunks.splice(0)) stream.write(chunk);
    await new Promise(setImmediate);
    collectGarbage();
    // The stream has the last one.
    expect(kept.slice(0, -1).filter((chunk) => chunk.deref())).toEqual([]);
    stream.end();
    await expect(reading).resolves.toEqual({ a: 1 });
  });

  it('ends reading as soon as it is exceeded; the rest is discarded and the stream stays open', async () => {
    const stream = new PassThrough();
    const reading = read(json, stream);
    stream.write(Buffer.alloc(101));
    await expect(reading).rejects.toEqual(error(413, 1004));
    stream.end(Buffer.alloc(100_000));
    await once(stream, 'end');
    expect(['data', 'end', 'close'].map((event) => stream.listenerCount(event))).toEqual([0, 0, 0]);
  });
});

describe('the content', () => {
  it.each<[string, Buffer, IncomingHttpHeaders?]>([
    ['nothing', Buffer.alloc(0)],
    ['nothing without a media type', Buffer.alloc(0), {}],
    ['nothing of length 0', Buffer.alloc(0), { 'content-length': '0' }],
    ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('%s gets 1001', async (...[, bytes, headers = json]) => {
    await expect(read(headers, streamOf(bytes))).rejects.toEqual(error(400, 1001));
  });

  it('may come in chunks that split a character', async () => {
    const bytes = Buffer.from('{"a":"😀"}');
    const [first, rest] = [bytes.subarray(0, 8), bytes.subarray(8)];
    await expect(read(json, streamOf(first, rest))).resolves.toEqual({ a: '😀' });
    await expect(read(json, streamOf(first))).rejects.toThrow('The body is not UTF-8.');
  });
});

describe('a client that disconnects while or before its body is read', () => {
  it.each([new Error('aborted'), undefined])('causes an error of its request: %p', async (cause) => {
    const stream = new PassThrough();
    const reading = read(json, stream);
    stream.write('{');
    stream.destroy(cause);
    await expect(reading).rejects.toEqual(error(400, 1006));
    await expect(read(json, stream)).rejects.toEqual(error(400, 1006));
  });
});

import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import fastify from 'fastify';
import { apiError } from '../../base/errors/api-error';
import { RawBody } from './raw-body';
import { receive, receiveBodies } from './receive-body';

const streamOf = (...chunks: string[]): Readable => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
const received = async (stream: Readable, headers: IncomingHttpHeaders = {}): Promise<string> =>
  (await receive(Object.assign(stream, { headers }), 100)).toString();
const error = (status: number, code: number): object => expect.objectContaining({ status, code }) as object;

describe('the size', () => {
  it('may be the limit, in bytes', async () => {
    await expect(received(streamOf('a'.repeat(50), 'b'.repeat(50)))).resolves.toBe('a'.repeat(50) + 'b'.repeat(50));
    await expect(received(streamOf('a'.repeat(100)), { 'content-length': '100' })).resolves.toHaveLength(100);
    await expect(received(streamOf('a'.repeat(101)))).rejects.toThrow('The body is larger than 100 bytes.');
    await expect(received(streamOf('é'.repeat(51)))).rejects.toEqual(error(413, 1004));
  });

  it('is checked by Content-Length before a byte is read', async () => {
    const stream = streamOf('{}');
    await expect(received(stream, { 'content-length': '101' })).rejects.toEqual(error(413, 1004));
    expect(stream.readableDidRead).toBe(false);
  });

  it('ends reading as soon as it is exceeded; the rest is discarded and the stream stays open', async () => {
    const stream = new PassThrough();
    const reading = received(stream);
    stream.write(Buffer.alloc(101));
    await expect(reading).rejects.toEqual(error(413, 1004));
    stream.end(Buffer.alloc(100_000));
    await once(stream, 'end');
    expect(['data', 'end', 'close'].map((event) => stream.listenerCount(event))).toEqual([0, 0, 0]);
  });
});

describe('a client that disconnects while or before its body is read', () => {
  it.each([new Error('aborted'), undefined])('causes an error of its request: %p', async (cause) => {
    const stream = new PassThrough();
    const reading = received(stream);
    stream.write('{');
    stream.destroy(cause);
    await expect(reading).rejects.toEqual(error(400, 1006));
    await expect(received(stream)).rejects.toEqual(error(400, 1006));
  });
});

test('A signal ends it early, with its reason', async () => {
  const controller = new AbortController();
  const stream = Object.assign(new PassThrough(), { headers: {} });
  const reading = receive(stream, 100, undefined, controller.signal);
  controller.abort(apiError('requestTimeout'));
  await expect(reading).rejects.toEqual(error(408, 1006));
});

describe('a server', () => {
  const server = fastify();
  beforeAll(() => {
    receiveBodies(server, 10);
    server.all('/', ({ body }) => ({ isRaw: body instanceof RawBody, bytes: (body as RawBody)?.bytes?.toString() }));
  });
  const send = async (method: 'POST' | 'PUT' | 'DELETE', payload: string, type?: string): Promise<unknown> => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const response = await server.inject({ method, url: '/', payload, headers });
    return response.statusCode === 200 ? response.json() : response.statusCode;
  };

  it.each(['POST', 'PUT'] as const)('receives the body of a %s, of any type but a form', async (method) => {
    const types = ['text/plain', 'multipart/form-data-x', 'x-multipart/form-data', 'no/t a type', 'x', '', undefined];
    for (const type of types) {
      expect(await send(method, 'a', type)).toEqual({ isRaw: true, bytes: 'a' });
      expect(await send(method, '', type)).toEqual({ isRaw: true, bytes: '' });
    }
    for (const type of ['multipart/form-data', 'Multipart/Form-Data ; boundary=x'])
      expect(await send(method, 'a', type)).toEqual({ isRaw: true });
  });

  it('leaves the bodies of other methods, whatever their type', async () => {
    expect(await send('DELETE', 'a'.repeat(11), 'no/t a type')).toEqual({ isRaw: false });
  });

  it('refuses a body that is too large', async () => {
    expect(await send('PUT', 'a'.repeat(11))).toBe(413);
  });
});

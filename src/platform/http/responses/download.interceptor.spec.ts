import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { lastValueFrom, of } from 'rxjs';
import { DownloadInterceptor } from './download.interceptor';
import { etagOf } from './etag';

const policy = "default-src 'none'; sandbox";
const read = jest.fn(() => Promise.resolve(Buffer.from('bytes')));
let etag: string;
beforeEach(() => {
  read.mockClear();
  etag = etagOf({ revision: 3 });
});

/** What a client gets whose handler returns a `Download`. */
function download(headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  const file = { contentType: 'image/png', disposition: 'inline', revision: 3, read };
  const fastify = Fastify().get('/', async (request, reply) => {
    const context = new ExecutionContextHost([request, reply]);
    const sent = new DownloadInterceptor().intercept(context, { handle: () => of(file) });
    return reply.send(await lastValueFrom(sent));
  });
  return fastify.inject({ url: '/', headers });
}

describe('a download', () => {
  it('has the bytes with their type, name and ETag, and can do nothing if opened as a page', async () => {
    const { statusCode, body, headers } = await download({ 'if-match': etag, 'if-none-match': '"x"' });
    expect([statusCode, body]).toEqual([200, 'bytes']);
    expect(headers).toMatchObject({
      ...{ etag, 'content-type': 'image/png', 'content-disposition': 'inline' },
      'content-security-policy': policy,
    });
  });

  it('is 304 where the client has the bytes, with the headers that a cache updates, and reads nothing', async () => {
    const { statusCode, body, headers } = await download({ 'if-none-match': etag });
    expect([statusCode, body]).toEqual([304, '']);
    expect(headers).toMatchObject({ etag, 'content-security-policy': policy });
    for (const name of ['content-type', 'content-disposition']) expect(headers).not.toHaveProperty(name);
    expect(read).not.toHaveBeenCalled();
  });

  it('is 412 where If-Match has another ETag, before anything is read', async () => {
    expect((await download({ 'if-match': '"x"', 'if-none-match': etag })).statusCode).toBe(412);
    expect(read).not.toHaveBeenCalled();
  });
});

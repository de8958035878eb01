import { FastifyRequest, onRequestHookHandler } from 'fastify';
import { apiError, ErrorName } from '../../errors/api-error';
import { sendError } from '../../errors/send-error';
import { MAX_HEADERS, MAX_TARGET } from './server';

/** Rejects requests that cannot be used at all, and closes the connection. */
export const rejectUnusable: onRequestHookHandler = (request, reply, done) => {
  const error = unusableBecause(request);
  if (error === undefined) return done();
  sendError(reply.header('connection', 'close'), apiError(error));
};

/** Checks what RFC 9112 and contract §1.1 require beyond what Node checks. */
function unusableBecause({ raw, originalUrl }: FastifyRequest): ErrorName | undefined {
  // The parser accepts `HTTP/0.9` and `HTTP/2.0`.
  if (raw.httpVersion !== '1.1' && raw.httpVersion !== '1.0') return 'unusableRequest';
  if (originalUrl.length > MAX_TARGET) return 'uriTooLong';
  if (headerSize(raw.rawHeaders) > MAX_HEADERS) return 'headersTooLarge';
  const hosts = raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return 'unusableRequest';
  // Origin-form, absolute-form or asterisk-form (RFC 9112 §3.2).
  const isAboutServer = originalUrl === '*' && raw.method === 'OPTIONS';
  if (!isAboutServer && !/^(?:\/|https?:\/\/[^/?#])/i.test(originalUrl)) return 'unusableRequest';
  return /100-continue/i.test(raw.headers.expect ?? '100-continue') ? undefined : 'expectationFailed';
}

/** In bytes, with `: ` or a line end after each text and an empty line at the end. */
function headerSize(rawHeaders: readonly string[]): number {
  return rawHeaders.reduce((size, text) => size + text.length + 2, 2);
}

import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { apiError, ApiError } from '../../errors/api-error';
import { isLingering, lingeringClose } from './lingering-close';
import { rawAnswer } from './raw-answer';

/** What a `clientError` event carries: an error of the parser, or of the socket. */
interface ParserError extends Error {
  code?: string;
  /** The chunk in which the parser stopped, a Buffer. */
  rawPacket?: unknown;
  /** How much of that chunk it had read. */
  bytesParsed?: number;
}
/** A server's socket, with what Node keeps there without typing it: the answer under way. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Sockets whose error is answered, or waits for its turn. */
const failed = new WeakSet<Socket>();

/**
 * Answers what the HTTP parser refuses, or what did not arrive in time, with the fail envelope (contract §1.1: 400, 408,
 * 414, 431, code 1006), and closes the connection. Nothing of it reaches the log.
 * @param limit bytes that are discarded at most while closing, `BODY_LIMIT`
 */
export function answerClientError(error: ParserError, socket: HttpSocket, limit: number): void {
  // The parser reports every chunk after the first error anew.
  if (failed.has(socket) || isLingering(socket)) return;
  failed.add(socket);
  const failure = failureOfParser(error);
  // The connection itself failed, or nobody reads: there is nobody to answer.
  if (failure === undefined || !socket.writable) return void socket.destroy();
  answerInTurn(socket, failure, limit);
}

/** Answers at once, or after the answers to earlier requests of the same connection (RFC 9112 §9.3.2). */
function answerInTurn(socket: HttpSocket, failure: ApiError, limit: number): void {
  const current = socket._httpMessage;
  const earlier = current?.req.complete === true;
  if (earlier) return void current.once('finish', () => answerInTurn(socket, failure, limit));
  if (!socket.writable || isLingering(socket)) return;
  // An answer to this very request has begun or is out: a second one would be taken for the next request's.
  if (current?.headersSent || (!current && isAnswered(socket))) return void socket.destroy();
  socket.write(rawAnswer(failure));
  lingeringClose(socket, limit);
}

/** Whether the request that is still arriving has its answer already. */
function isAnswered(socket: Socket): boolean {
  const incoming = (socket as Socket & { parser?: { incoming?: { complete: boolean } | null } }).parser?.incoming;
  return incoming?.complete === false;
}

function failureOfParser(error: ParserError): ApiError | undefined {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return apiError('requestTimeout');
  if (error.code === 'HPE_HEADER_OVERFLOW') return apiError(isRequestLine(error) ? 'uriTooLong' : 'headersTooLarge');
  return error.code?.startsWith('HPE_') ? apiError('unusableRequest') : undefined;
}

/**
 * Whether the parser gave up within the request line: its chunk begins with a method and has no line end before that.
 * A request line of more than 24 KiB that comes in several chunks cannot be told from a header and gets 431.
 */
function isRequestLine(error: ParserError): boolean {
  if (!Buffer.isBuffer(error.rawPacket)) return false;
  const read = error.rawPacket.subarray(0, error.bytesParsed);
  return !read.includes(10) && /^[A-Z-]{1,20} /.test(read.toString('latin1', 0, 24));
}

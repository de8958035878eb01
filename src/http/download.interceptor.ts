import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, Observable } from 'rxjs';
import { etagOf, ifNoneMatch } from './etag';

/** A file on its way to the client: what a handler with `@Returns.bytes` returns. */
export interface Download {
  readonly contentType: string;
  /** The Content-Disposition header. */
  readonly disposition: string;
  /** Of the bytes, for the ETag. */
  readonly revision: number;
  /** Reads the bytes; not called when the client already has them. */
  readonly read: () => Promise<Buffer>;
}

/** How long a client may reuse a file without asking (s). A file never changes, but it can be deleted. */
const MAX_AGE = 3600;

/** For uploaded bytes that are opened as a page: they load nothing, run nothing, and have no origin. */
const POLICY = "default-src 'none'; sandbox";

/** Turns a `Download` into the response (contract §4, GET /files/:id). */
@Injectable()
export class DownloadInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Download>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(mergeMap((download) => send(download, request, reply)));
  }
}

async function send(download: Download, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined> {
  const etag = etagOf(download);
  // A cache updates the stored headers from a 304 (RFC 9111 §3.2), so the file's own policy has to be in it.
  const headers = { etag, 'cache-control': `private, max-age=${MAX_AGE}`, 'content-security-policy': POLICY };
  if (ifNoneMatch(request.headers['if-none-match'], etag)) {
    reply.status(304).headers(headers);
    return undefined;
  }
  const bytes = await download.read();
  reply.headers({
    ...headers,
    'content-type': download.contentType,
    'content-disposition': download.disposition,
  });
  return bytes;
}

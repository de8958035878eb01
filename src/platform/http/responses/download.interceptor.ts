import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, Observable } from 'rxjs';
import { etagOf, Precondition } from './etag';

/** The result of a handler with `@Returns.bytes`. */
export interface Download {
  readonly contentType: string;
  readonly disposition: string;
  /** Of the bytes, for the ETag. */
  readonly revision: number;
  /** Reads the bytes; not called when the client already has them. */
  readonly read: () => Promise<Buffer>;
}

/** Turns a `Download` into the response (contract §4, GET /files/:id). */
@Injectable()
export class DownloadInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Download>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    return next.handle().pipe(mergeMap((download) => send(download, http.getRequest(), http.getResponse())));
  }
}

async function send(download: Download, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined> {
  const etag = etagOf(download);
  const condition = new Precondition(request.headers);
  condition.requireMatch(etag);
  const isUnchanged = condition.isKnown(etag);
  const bytes = isUnchanged ? undefined : await download.read();
  // Also on a 304, from which a cache updates its headers (RFC 9111 §3.2). Opened as a page, a file can do nothing.
  const policy = "default-src 'none'; sandbox";
  reply.headers({ etag, 'content-security-policy': policy });
  if (isUnchanged) reply.status(304);
  else reply.headers({ 'content-type': download.contentType, 'content-disposition': download.disposition });
  return bytes;
}

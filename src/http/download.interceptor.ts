import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { mergeMap, Observable } from 'rxjs';
import { etagOf, ifNoneMatch } from './etag';
import type { RosterRequest } from './request';

/** A file on its way to the client: what a handler with `@Answers.bytes` returns. */
export interface Download {
  readonly contentType: string;
  /** The Content-Disposition. */
  readonly disposition: string;
  /** Of the bytes: it makes the ETag. */
  readonly revision: number;
  /** Reads the bytes; not asked when the client has them. */
  readonly read: () => Promise<Buffer>;
}

/**
 * How long a client may show a file again without asking (s). A file never changes, but it can be deleted, and an
 * account can end.
 */
const MAX_AGE = 3600;

/** Uploaded bytes, opened as a page: they load nothing, run nothing, and have no origin. */
const POLICY = "default-src 'none'; sandbox";

/** Makes the answer of a `Download` (contract §4, GET /files/:id). */
@Injectable()
export class DownloadInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Download>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<RosterRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(mergeMap((download) => answer(download, request, reply)));
  }
}

async function answer(download: Download, request: RosterRequest, reply: FastifyReply): Promise<Buffer | undefined> {
  const etag = etagOf(download);
  // A cache takes over what a 304 says (RFC 9111 §3.2): with the policy of every answer the file would lose its own.
  const kept = { etag, 'cache-control': `private, max-age=${MAX_AGE}`, 'content-security-policy': POLICY };
  if (ifNoneMatch(request.headers['if-none-match'], etag)) {
    reply.status(304).headers(kept);
    return undefined;
  }
  const bytes = await download.read();
  reply.headers({
    ...kept,
    'content-type': download.contentType,
    'content-disposition': download.disposition,
  });
  return bytes;
}

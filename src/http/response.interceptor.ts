import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, Observable } from 'rxjs';
import { Settings } from '../config/settings';
import { etagOf, ifNoneMatch } from './etag';
import { linkHeader } from './link-header';
import type { Page, PageQuery } from './page';
import { toResponse } from './response-fields';
import { RESPONSE_PLAN, ResponsePlan } from './response-plan';

/** A plan with what it needs to show a record. */
type RecordPlan = ResponsePlan & Required<Pick<ResponsePlan, 'dto'>>;

/** Turns what a handler returned into the response that its `@Returns` declares (contract §2). */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const plan = this.reflector.get<RecordPlan>(RESPONSE_PLAN, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result: unknown) => {
        if (plan.kind === 'list') return showPage(plan, result as Page<object>, request, reply);
        return this.showRecord(plan, result as object, request, reply);
      }),
    );
  }

  private showRecord(plan: RecordPlan, record: object, request: FastifyRequest, reply: FastifyReply): unknown {
    const response = toResponse(plan.dto, record);
    const etag = plan.etag?.(response) ?? revisionETag(record);
    if (etag) reply.header('etag', etag);
    if (plan.kind === 'created') this.setLocation(plan, response, request, reply);
    if (plan.kind !== 'one') return { status: 'success', data: response };
    if (!etag || !ifNoneMatch(request.headers['if-none-match'], etag)) return response;
    reply.status(304);
    return undefined;
  }

  private setLocation(
    { location }: ResponsePlan,
    response: { _id?: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (location === false || response._id === undefined) return;
    // A URL may end in a bare `?`, which is no query string.
    const path = location === undefined ? request.url.split('?', 1)[0] : this.settings.basePath + location;
    reply.header('location', `${path}/${response._id}`);
  }
}

function showPage({ dto }: RecordPlan, page: Page<object>, request: FastifyRequest, reply: FastifyReply): object {
  const link = linkHeader(request.url, request.query as PageQuery, page);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  return { status: 'success', data: page.records.map((record) => toResponse(dto, record)) };
}

function revisionETag({ revision }: { revision?: number }): string | undefined {
  return revision === undefined ? undefined : etagOf({ revision });
}

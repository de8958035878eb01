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

type Dto = new () => object;

/** Turns what a handler returned into the response that its `@Returns` declares (contract §2). */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const plan = this.reflector.get<ResponsePlan & { dto: Dto }>(RESPONSE_PLAN, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result: { revision?: number }) => {
        if (plan.kind === 'list') return pageResponse(plan.dto, result as Page<object>, request, reply);
        const record: { _id?: string } = toResponse(plan.dto, result);
        const { revision } = result;
        const etag = plan.etag?.(record) ?? (revision === undefined ? undefined : etagOf({ revision }));
        if (etag) reply.header('etag', etag);
        if (plan.kind === 'created' && record._id && plan.location !== false) {
          const path = plan.location ? this.settings.basePath + plan.location : request.url.split('?', 1)[0];
          reply.header('location', `${path}/${record._id}`);
        }
        if (plan.kind !== 'one') return { status: 'success', data: record };
        if (!etag || !ifNoneMatch(request.headers['if-none-match'], etag)) return record;
        reply.status(304);
        return undefined;
      }),
    );
  }
}

function pageResponse(dto: Dto, page: Page<object>, request: FastifyRequest, reply: FastifyReply): object {
  const link = linkHeader(request.url, request.query as PageQuery, page);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  return { status: 'success', data: page.records.map((record) => toResponse(dto, record)) };
}

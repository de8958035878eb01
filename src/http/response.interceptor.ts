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
      map((result: object) => {
        if (plan.kind === 'list') return pageResponse(plan.dto, result as Page<object>, request, reply);
        const record: { _id?: string } = toResponse(plan.dto, result);
        const etag = plan.etag?.(record) ?? revisionETag(result);
        if (etag) reply.header('etag', etag);
        if (plan.kind === 'created' && record._id && plan.location !== false) {
          reply.header('location', `${this.parentPath(plan.location, request)}/${record._id}`);
        }
        if (plan.kind !== 'one') return { status: 'success', data: record };
        if (!etag || !ifNoneMatch(request.headers['if-none-match'], etag)) return record;
        reply.status(304);
        return undefined;
      }),
    );
  }

  /** The path of a created record before its id. */
  private parentPath(location: string | undefined, { url }: FastifyRequest): string {
    return location === undefined ? url.split('?', 1)[0]! : this.settings.basePath + location;
  }
}

function pageResponse(dto: Dto, page: Page<object>, request: FastifyRequest, reply: FastifyReply): object {
  const link = linkHeader(request.url, request.query as PageQuery, page);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  return { status: 'success', data: page.records.map((record) => toResponse(dto, record)) };
}

function revisionETag({ revision }: { revision?: number }): string | undefined {
  return revision === undefined ? undefined : etagOf({ revision });
}

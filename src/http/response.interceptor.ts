import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';
import { Settings } from '../config/settings';
import { RESPONSE_PLAN, ResponsePlan } from './response-plan';
import { etagOf, ifNoneMatch } from './etag';
import type { Page } from './page';
import type { ListQuery } from '../validation/query/page-query.dto';
import { linkHeader } from './paging';
import type { RosterRequest } from './request';

interface Revised {
  readonly revision?: number;
}

/** Makes the answer of what a handler returned, by its `@Answers` (contract §2). */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const plan = this.reflector.get<ResponsePlan>(RESPONSE_PLAN, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<RosterRequest>();
    const reply = http.getResponse<FastifyReply>();
    const { basePath } = this.settings;
    const location = typeof plan.location === 'string' ? basePath + plan.location : plan.location;
    return next.handle().pipe(map((result) => answer({ ...plan, location }, result as never, request, reply)));
  }
}

function answer(plan: ResponsePlan, result: never, request: RosterRequest, reply: FastifyReply): unknown {
  if (plan.kind === 'list') return list(plan, result, request, reply);
  const shown = plan.show(result);
  const etag = plan.etag?.(shown) ?? revisionTag(result);
  if (etag) reply.header('etag', etag);
  if (plan.kind === 'one') return one(shown, etag, request, reply);
  if (plan.kind === 'created') locate(plan, shown, request, reply);
  return { status: 'success', data: shown };
}

function one(shown: object, etag: string | undefined, request: RosterRequest, reply: FastifyReply): object | undefined {
  if (!etag || !ifNoneMatch(request.headers['if-none-match'], etag)) return shown;
  reply.status(304);
  return undefined;
}

function list(plan: ResponsePlan, page: Page<never>, request: RosterRequest, reply: FastifyReply): object {
  const last = page.records.at(-1) as { _id: { toString(): string } } | undefined;
  const found = { hasMore: page.hasMore, lastId: last?._id.toString() };
  const link = linkHeader(request.url, request.query as ListQuery, found);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  return { status: 'success', data: page.records.map((record) => plan.show(record)) };
}

function locate(plan: ResponsePlan, shown: { _id?: string }, request: RosterRequest, reply: FastifyReply): void {
  if (plan.location === false || !shown._id) return;
  // A bare `?` is no query string, but stands in the URL.
  const [path] = request.url.split('?', 1);
  reply.header('location', `${plan.location ?? path}/${shown._id}`);
}

function revisionTag(record: Revised): string | undefined {
  return record.revision === undefined ? undefined : etagOf({ revision: record.revision });
}

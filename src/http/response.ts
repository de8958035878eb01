import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, ifNoneMatch } from './etag';
import { linkHeader } from './link-header';
import type { Page, PageQuery } from './page';
import { toResponse } from './response-fields';
import type { ResponsePlan } from './response-plan';

/**
 * Turns what a handler returned into the response that its `@Returns` declares (contract §2): sets headers and status.
 * @returns the body; undefined for a 304
 */
export function respond(plan: ResponsePlan, result: object, reply: FastifyReply, basePath: string): object | undefined {
  const { request } = reply;
  if (plan.kind === 'list') return pageResponse(plan, result as Page<object>, request, reply);
  const record: { _id?: string } = toResponse(plan.dto, result);
  const { revision } = result as { revision?: number };
  const etag = plan.etag?.(record) ?? (revision === undefined ? undefined : etagOf({ revision }));
  if (etag) reply.header('etag', etag);
  if (plan.kind === 'created' && record._id && plan.location !== false) {
    const path = plan.location ? basePath + plan.location : request.url.split('?', 1)[0];
    reply.header('location', `${path}/${record._id}`);
  }
  if (plan.kind !== 'one') return { status: 'success', data: record };
  if (!etag || !ifNoneMatch(request.headers['if-none-match'], etag)) return record;
  reply.status(304);
  return undefined;
}

function pageResponse({ dto }: ResponsePlan, page: Page<object>, request: FastifyRequest, reply: FastifyReply): object {
  // First, because it may throw, and the filter removes no headers.
  const data = page.records.map((record) => toResponse(dto, record));
  const link = linkHeader(request.url, request.query as PageQuery, page);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  return { status: 'success', data };
}

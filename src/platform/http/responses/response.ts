import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, etagOfResponse, etagOfText, Precondition } from './etag';
import { MAX_LIMIT, type Page, type Paging } from '../../records/reads/page';
import type { RawQuery } from '../query/raw-query';
import { memoized } from '../../base/memoized';
import { toResponse } from './response-fields';

/** Describes the response that shows records (contract §2). */
export interface RecordsPlan {
  readonly kind: 'one' | 'list' | 'created' | 'updated';
  /** The DTO of the records that the response shows. */
  readonly dto: new () => object;
  /** The path of a created record before its id, without BASE_PATH; by default the request's path, `false` for none. */
  readonly location?: string | false;
  /** Set where responses contain secrets: they must not be stored, and have no ETag. */
  readonly noStore?: true;
}

/** Describes the response that shows the result of a handler: records, or the bytes of a `Download`. */
export type ResponsePlan = RecordsPlan | { readonly kind: 'bytes'; readonly dto?: undefined };

/** The result of a handler with `@Returns.bytes`. */
export interface Download {
  readonly contentType: string;
  readonly disposition: string;
  /** Of the bytes, for the ETag. */
  readonly revision: number;
  /** Reads the bytes; not called when the client already has them. */
  readonly read: () => Promise<Buffer>;
}

/** Fastify's `config` of a route, set by `@Returns`. */
export interface RouteSettings extends Partial<FastifyContextConfig> {
  /** Set where the response has a body. */
  readonly response?: ResponsePlan;
  /** Gives all responses of the route `Cache-Control: no-store`, errors too. */
  readonly noStore?: boolean;
  /** Lets scripts of any origin read all responses of the route, errors too. */
  readonly anyOrigin?: boolean;
}

/** Sets headers and status as the `@Returns` of a handler declares (contract §2), and returns the body. */
export function respond(plan: RecordsPlan, result: object, reply: FastifyReply, basePath: string): object | undefined {
  const { request } = reply;
  if (plan.kind === 'list') return pageResponse(plan, result as Page<object>, request, reply);
  const record = toResponse(plan.dto, result) as { _id: string };
  const etag = plan.noStore ? undefined : etagOfResponse(result, () => record);
  const condition = new Precondition(request.headers);
  // First, because it may throw, and the filter removes no headers.
  if (etag && plan.kind === 'one') condition.requireMatch(etag);
  if (etag) reply.header('etag', etag);
  if (plan.kind === 'created' && plan.location !== false) {
    const path = plan.location ? basePath + plan.location : request.url.split('?', 1)[0];
    reply.header('location', `${path}/${record._id}`);
  }
  if (plan.kind !== 'one') return { status: 'success', data: record };
  return etag && condition.isKnown(etag) ? notModified(reply) : record;
}

/** Sends the bytes of a file (contract §4, GET /files/:id). */
export async function respondBytes(download: Download, reply: FastifyReply): Promise<Buffer | undefined> {
  const etag = etagOf(download);
  const condition = new Precondition(reply.request.headers);
  condition.requireMatch(etag);
  const isUnchanged = condition.isKnown(etag);
  const bytes = isUnchanged ? undefined : await download.read();
  // Also on a 304, from which a cache updates its headers (RFC 9111 §3.2). Opened as a page, a file can do nothing.
  reply.headers({ etag, 'content-security-policy': "default-src 'none'; sandbox" });
  if (isUnchanged) return notModified(reply);
  reply.headers({ 'content-type': download.contentType, 'content-disposition': download.disposition });
  return bytes;
}

function notModified(reply: FastifyReply): undefined {
  reply.status(304);
}

function pageResponse(
  { dto, noStore }: RecordsPlan,
  page: Page<object>,
  request: FastifyRequest,
  reply: FastifyReply,
): object | undefined {
  // First, because it may throw, and the filter removes no headers.
  const items = page.records.map(itemText(dto));
  const link = linkHeader(request.url, (request.query as RawQuery).content as Paging, page);
  if (link) reply.header('link', link);
  if (page.total !== undefined) reply.header('x-total-count', page.total);
  const text = `{"status":"success","data":[${items.join()}]}`;
  const send = (): object => {
    reply.type('application/json; charset=utf-8').serializer(() => text);
    return page;
  };
  if (noStore) return send();
  const etag = etagOfText([link, page.total, text].join('\n'));
  reply.header('etag', etag);
  if (new Precondition(request.headers).isKnown(etag)) return notModified(reply);
  return send();
}

/** The JSON of an item of a list, made once while the record is remembered (`decodeRecord`). */
const itemText = memoized((dto: RecordsPlan['dto']) =>
  memoized((record: object) => JSON.stringify(toResponse(dto, record))),
);

/** The `Link` header of a page (contract §2 Lists): absolute paths that keep the other parameters of the request. */
export function linkHeader(
  url: string,
  { skip, limit }: Paging,
  { records, hasMore, lastId }: Page<unknown>,
): string | undefined {
  const links: string[] = [];
  if (hasMore)
    links.push(link(url, 'next', lastId === undefined ? { skip: skip + records.length } : { after: lastId }));
  if (skip > 0 && records.length > 0) {
    // Where fewer than `limit` records come before, the previous page is shorter, so pages do not overlap.
    const before = Math.min(skip, limit ?? MAX_LIMIT);
    links.push(link(url, 'prev', { skip: skip - before, ...(before !== limit && { limit: before }) }));
  }
  return links.join(', ') || undefined;
}

function link(url: string, relation: string, page: Record<string, string | number>): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  for (const name of ['skip', 'after']) searchParams.delete(name);
  for (const [name, value] of Object.entries(page)) searchParams.set(name, String(value));
  return `<${pathname}?${searchParams.toString()}>; rel="${relation}"`;
}

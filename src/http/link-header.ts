import type { Page, PageQuery } from './page';
import { parseQuery, queryStringOf } from './parse-query';

/**
 * The `Link` header of a page (RFC 8288; contract §2 Lists): `next` and `prev` as absolute paths that keep the other
 * parameters. `next` uses `after` where the list takes it, so each record appears once even if others are added or
 * deleted meanwhile. The first page and pages reached by `after` have no `prev`.
 * @param url path and query of the request, with BASE_PATH
 * @returns undefined for a page without neighbors
 */
export function linkHeader(
  url: string,
  { skip, limit }: PageQuery,
  { hasMore, lastId }: Pick<Page<unknown>, 'hasMore' | 'lastId'>,
): string | undefined {
  const links: string[] = [];
  if (hasMore) links.push(link(url, 'next', lastId === undefined ? { skip: skip + limit } : { after: lastId }));
  // Where fewer than `limit` records come before, the previous page is shorter, so pages do not overlap.
  if (skip > 0) links.push(link(url, 'prev', skip < limit ? { skip: 0, limit: skip } : { skip: skip - limit }));
  return links.join(', ') || undefined;
}

function link(url: string, relation: string, page: Record<string, string | number>): string {
  const parameters = new URLSearchParams([...parseQuery(queryStringOf(url))]);
  parameters.delete('skip');
  parameters.delete('after');
  for (const [name, value] of Object.entries(page)) parameters.set(name, String(value));
  return `<${url.split('?', 1)[0]}?${parameters.toString()}>; rel="${relation}"`;
}

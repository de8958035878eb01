import type { Page, PageQuery } from './page';
import { parseQuery, queryStringOf } from './parse-query';

/** The parameters that lead to a page. */
type PagePlace = Partial<Record<'skip' | 'after' | 'limit', string>>;

/**
 * The `Link` header of a page (RFC 8288; contract §2 Lists): `next` and `prev` as absolute paths that keep the other
 * parameters. `next` uses `after` where the list takes it, so a walk meets each record once while others come and go. The
 * first page and pages reached by `after` have no `prev`.
 *
 * @param url path and query of the request, with BASE_PATH
 * @returns undefined for a page without neighbors
 */
export function linkHeader(
  url: string,
  query: PageQuery,
  page: Pick<Page<unknown>, 'hasMore' | 'lastId'>,
): string | undefined {
  const next = page.hasMore && link(url, nextPage(query, page.lastId), 'next');
  const previous = query.skip > 0 && link(url, previousPage(query), 'prev');
  return [next, previous].filter(Boolean).join(', ') || undefined;
}

function nextPage({ skip, limit }: PageQuery, lastId: string | undefined): PagePlace {
  return lastId === undefined ? { skip: String(skip + limit) } : { after: lastId };
}

/** A shorter page where fewer than `limit` records come before, so the pages still partition the list. */
function previousPage({ skip, limit }: PageQuery): PagePlace {
  return skip < limit ? { skip: '0', limit: String(skip) } : { skip: String(skip - limit) };
}

function link(url: string, place: PagePlace, relation: string): string {
  const [path] = url.split('?', 1);
  const parameters = new URLSearchParams([...parseQuery(queryStringOf(url))]);
  parameters.delete('skip');
  parameters.delete('after');
  for (const [name, value] of Object.entries(place)) parameters.set(name, value);
  return `<${path}?${parameters.toString()}>; rel="${relation}"`;
}

import { type ListQuery, PageQuery } from '../validation/query/page-query.dto';
import { parseQuery, queryStringOf } from './parse-query';

/** A page of a list, as far as its neighbours hang on it. */
export interface FoundPage {
  /** Whether records follow this page. */
  hasMore: boolean;
  /** The `_id` of the last record on it; none on an empty page. */
  lastId?: string;
}

/**
 * The `Link` header of a page (RFC 8288; contract §2, Lists): `next` and `prev` as absolute paths with the other
 * parameters as given. `next` goes on by `after` where the list takes it, so that a walk meets each record once while
 * others come and go; a page reached by `after` has no `prev`, nor has the first.
 * @param target the path and query that were asked for, `request.url`: BASE_PATH is in it, an authority is not
 * @returns undefined when the page has no neighbour
 */
export function linkHeader(target: string, query: ListQuery, page: FoundPage): string | undefined {
  const next = page.hasMore ? nextPage(query, page) : undefined;
  const prev = previousPage(query);
  const links = [next && link(target, next, 'next'), prev && link(target, prev, 'prev')].filter(Boolean);
  return links.length === 0 ? undefined : links.join(', ');
}

type Place = Partial<Record<'skip' | 'after' | 'limit', string>>;

function nextPage(query: ListQuery, { lastId }: FoundPage): Place {
  if (query instanceof PageQuery && lastId !== undefined) return { after: lastId };
  return { skip: String(query.skip + query.limit) };
}

/** A shorter page where fewer than `limit` records come before, so that the pages still partition the list. */
function previousPage(query: ListQuery): Place | undefined {
  const { skip, limit } = query;
  if (skip === 0) return undefined;
  return skip < limit ? { skip: '0', limit: String(skip) } : { skip: String(skip - limit) };
}

function link(target: string, place: Place, relation: string): string {
  const [path] = target.split('?', 1);
  const parameters = new URLSearchParams([...parseQuery(queryStringOf(target))]);
  parameters.delete('skip');
  parameters.delete('after');
  for (const [name, value] of Object.entries(place)) parameters.set(name, value);
  return `<${path}?${parameters.toString()}>; rel="${relation}"`;
}

/**
 * Whether the `Prefer` header asks for `count=exact` (contract §2, Lists), among other preferences or not, in any case,
 * quoted or not. Of two `count`s the first holds (RFC 7240 §2).
 */
export function wantsExactCount(prefer: string | readonly string[] | undefined): boolean {
  const text = [prefer ?? []]
    .flat()
    .join(',')
    .toLowerCase()
    .replace(/"([^"]*)"/g, unquoted);
  const count = text
    .split(',')
    .map(preference)
    .find(([name]) => name === 'count');
  return count?.[1] === 'exact';
}

/** A quoted value as a token; one that is none could be taken for other preferences. */
function unquoted(_quoted: string, value: string): string {
  return /^[a-z0-9_-]*$/.test(value) ? value : '-';
}

function preference(text: string): [name: string, value: string] {
  const [token = ''] = text.split(';', 1);
  const [name = '', value = ''] = token.split('=', 2);
  return [name.trim(), value.trim()];
}

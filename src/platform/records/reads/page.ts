import type { Types } from 'mongoose';

/** The largest `limit`. */
export const MAX_LIMIT = 100;

/** The page that a list request asks for. */
export interface Paging {
  readonly skip: number;
  /** Left out for all records, where a list allows it. */
  readonly limit?: number;
  /** True if the response names the total number of records. */
  readonly exactCount?: boolean;
}

/** One page of records in the list's order. */
export interface Page<R> {
  readonly records: readonly R[];
  readonly hasMore: boolean;
  /** The id after which the next page starts, for lists that take `after`. */
  readonly lastId?: string | undefined;
  /** The total number of records, if the request asked for it (`Prefer: count=exact`). */
  readonly total?: number;
}

/** Cuts a page of a list ordered by `_id` from records that are all in memory. */
export function pageById<R extends { readonly _id: Types.ObjectId }>(
  all: readonly R[],
  query: Paging & { readonly after?: string },
): Page<R> {
  const idOf = ({ _id }: R): string => _id.toHexString();
  const sorted = all.toSorted((one, other) => idOf(one).localeCompare(idOf(other)));
  const { after = '', exactCount } = query;
  const page = pageOf(
    sorted.filter((record) => idOf(record) > after),
    query,
  );
  const lastId = page.records.at(-1)?._id.toHexString();
  return { ...page, lastId, ...(exactCount && { total: all.length }) };
}

/** Cuts a page from records that are all in memory, because they are embedded in one document. */
export function pageOf<R>(all: readonly R[], { skip, limit = Infinity, exactCount }: Paging): Page<R> {
  const page = { records: all.slice(skip, skip + limit), hasMore: all.length > skip + limit };
  return exactCount ? { ...page, total: all.length } : page;
}

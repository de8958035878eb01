/** The page that a list request asks for (contract §2 Lists). */
export interface PageQuery {
  readonly skip: number;
  readonly limit: number;
}

/** One page of records in the list's order (contract §2 Lists). */
export interface Page<R> {
  readonly records: readonly R[];
  /** True if records follow this page. */
  readonly hasMore: boolean;
  /** The id after which the next page starts, for lists that take `after`. */
  readonly lastId?: string;
  /** The total number of records, if the request asked for it (`Prefer: count=exact`). */
  readonly total?: number;
}

/** Cuts a page from records that are all in memory, because they are embedded in one document. */
export function pageOf<R>(all: readonly R[], query: PageQuery & { readonly exactCount?: boolean }): Page<R> {
  const end = query.skip + query.limit;
  const page = { records: all.slice(query.skip, end), hasMore: all.length > end };
  return query.exactCount ? { ...page, total: all.length } : page;
}

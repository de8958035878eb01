/** What a list request asks for (contract §2 Lists). */
export interface PageQuery {
  readonly skip: number;
  readonly limit: number;
}

/** One page of records in the list's order (contract §2 Lists). */
export interface Page<R> {
  readonly records: readonly R[];
  /** Whether records follow this page. */
  readonly hasMore: boolean;
  /** The id to go on after, for lists that take `after`. */
  readonly lastId?: string;
  /** How many records there are in all, if the request asked for it (`Prefer: count=exact`). */
  readonly total?: number;
}

/**
 * Cuts a page from records that are all in memory, because they are embedded in one document.
 *
 * @param query which page, and whether to count all records
 */
export function pageOf<R>(all: readonly R[], query: PageQuery & { readonly exactCount?: boolean }): Page<R> {
  const end = query.skip + query.limit;
  return {
    records: all.slice(query.skip, end),
    hasMore: all.length > end,
    ...(query.exactCount && { total: all.length }),
  };
}

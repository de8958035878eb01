/** What a list operation found: one page of records in the list's order (contract §2 Lists). */
export interface Page<R> {
  readonly records: readonly R[];
  /** Whether the list goes on behind this page. */
  readonly hasMore: boolean;
  /** How many records there are in all, when the request asked for it (`Prefer: count=exact`). */
  readonly total?: number;
}

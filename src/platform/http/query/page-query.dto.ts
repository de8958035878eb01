import { ApiHideProperty } from '@nestjs/swagger';
import { MAX_LIMIT } from '../../records/reads/page';
import { IsoDate } from '../fields/date-field';
import { Integer, RecordId } from '../fields/value-fields';
import { QuerySearch, QuerySort } from './query-fields';

/** A `limit` that was cut silently would make clients that add it to `skip` lose records. */
const NEXT_PAGE = '; for more, follow the Link header';

/** The parameters of every list (contract §2, Lists). */
export class ListQuery {
  /** Number of records to skip (default 0). */
  @Integer({ min: 0, max: 1_000_000, default: 0, filter: true })
  skip!: number;

  /** True if the request has `Prefer: count=exact`, which the pipe sets; not a parameter. */
  @ApiHideProperty()
  exactCount?: boolean;
}

/** A list ordered by `_id` that cannot be searched (sessions, files). */
export class PageQueryDto extends ListQuery {
  /** Maximum number of records to return (default 50). */
  @Integer({ min: 1, max: MAX_LIMIT, default: 50, filter: true, advice: NEXT_PAGE })
  limit!: number;

  /** Return records after this id; it may have been deleted. Cannot be combined with `skip`. */
  @RecordId({ filter: true })
  after?: string;
}

/** A list of records that can be searched, by `_id` or the newest first. */
export class SearchablePageQuery extends PageQueryDto {
  /** Only records with this text in a searched field, ignoring case. */
  @QuerySearch({ max: 100 })
  q?: string;

  /** Only records that were created or changed at this time or later; a date alone begins at 00:00 UTC. */
  @IsoDate({ filter: true })
  updatedSince?: string;

  /** `_id` (default), or `-_id` for the newest first; `after` continues in this order. */
  @QuerySort()
  sort!: string;
}

/** A list in another order that can be searched (managers, by joining). It takes no `after`. */
export class SearchableListQuery extends ListQuery {
  /** Maximum number of records to return (default all). */
  @Integer({ min: 1, max: MAX_LIMIT, filter: true, advice: NEXT_PAGE })
  limit?: number;

  /** Only records with this text in a searched field, ignoring case. */
  @QuerySearch({ max: 100 })
  q?: string;
}

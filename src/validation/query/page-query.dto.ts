import { ApiHideProperty } from '@nestjs/swagger';
import { QueryId, QueryInteger, QueryText } from './query-fields';

/** The parameters of every list (contract §2, Lists). */
export class ListQuery {
  /** How many records to pass over; 0 unless given. */
  @QueryInteger({ min: 0, max: 1_000_000, default: 0, hidesDefault: true })
  skip!: number;

  /** The most records to give. */
  @QueryInteger({ min: 1, max: 100, default: 50 })
  limit!: number;

  /** Whether the request asked how many records there are in all (`Prefer: count=exact`); no parameter. */
  @ApiHideProperty()
  exactCount?: boolean;
}

/** Those of a list ordered by `_id` that is not searched (sessions). */
export class PageQuery extends ListQuery {
  /** Start behind the record with this id, which may be gone; instead of `skip`. */
  @QueryId()
  after?: string;
}

/** Those of a list ordered by `_id` that is searched. */
export class SearchablePageQuery extends PageQuery {
  /** Only records of which a searched field contains this text, without regard to case. */
  @QueryText({ max: 100 })
  q?: string;
}

/** Those of a list in an order of its own that is searched (managers, by joining): it takes no `after`. */
export class SearchableListQuery extends ListQuery {
  /** Only records of which a searched field contains this text, without regard to case. */
  @QueryText({ max: 100 })
  q?: string;
}

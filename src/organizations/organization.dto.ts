import { QueryId, QueryText } from '../validation/query/query-fields';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import { RepeatedIds } from '../validation/fields/repeated-ids';
import { RecordId, RecordIds } from '../validation/fields/id-fields';
import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { Text, WebUrl } from '../validation/fields/text-fields';
import type { Known } from '../http/body/unread-body';
import { RecordDto } from '../http/record.dto';
import { ResponseField } from '../http/response-fields';
import { FriendlySlugsDto, toFriendlySlugs } from '../slugs/friendly-slugs.dto';
import { managerIdsOf } from './organization-ownership';
import type { OrganizationRecord } from './organization.schema';

/** The most APIs that an Organization features (contract §3). */
const MAX_FEATURED = 4;

/** The creator of a new Organization is its Manager. */
function presentManagers({ record, account }: Known): object[] {
  return record ? managerIdsOf(record as OrganizationRecord) : [account!._id];
}

/** A new Organization, or the new state of one. */
@ReadOnlyFields('_id', 'slug', 'friendlySlugs', 'createdBy', 'createdAt', 'updatedAt')
export class OrganizationInput {
  /** Unique without regard to case. @example "Miller & Sons" */
  @Text({ max: 255, kind: 'name' }) name!: string;
  /** @example "https://miller-and-sons.example" */
  @WebUrl() url!: string;
  /** @example "We make nets." */
  @Text({ max: 1000, kind: 'paragraphs', default: '' }) description!: string;
  /** The present Managers in any order, or left out: they are changed under `/organizations/{id}/managers`. */
  @RepeatedIds({ present: presentManagers, changedUnder: '/organizations/:id/managers' }) managerIds?: string[];
  /** Up to four public APIs of this Organization, to be shown first. @example [] */
  @RecordIds({ max: MAX_FEATURED, default: [] }) featuredApiIds!: string[];
  /** A File that you uploaded and that is not another Organization's logo. @example null */
  @RecordId({ default: null }) organizationLogoFileId!: string | null;
}

/** An Organization. */
export class OrganizationDto extends RecordDto {
  /** @example "Miller & Sons" */
  @ResponseField() name!: string;
  /** @example "https://miller-and-sons.example" */
  @ResponseField() url!: string;
  /** @example "We make nets." */
  @ResponseField() description!: string;
  /** Made from the name. Old slugs still find the record with `?slug=`. @example "miller-sons" */
  @ResponseField('value', ({ slug }: OrganizationRecord) => slug.text) slug!: string;
  /** The Users who manage it, in the order of joining. @example ["65f5f0a2c3d4e5f60718293a"] */
  @ResponseField('ids', managerIdsOf) managerIds!: string[];
  @ResponseField('value', toFriendlySlugs) friendlySlugs!: FriendlySlugsDto;
  /** The File that is its logo. @example null */
  @ResponseField('id') organizationLogoFileId!: string | null;
  /** The APIs to show first. @example [] */
  @ResponseField('ids') featuredApiIds!: string[];
}

/** The query parameters of the list of Organizations. */
export class OrganizationQuery extends SearchablePageQuery {
  /** Only the Organization with this slug, which may be an old one. */
  @QueryText({ max: 100 }) slug?: string;
  /** Only Organizations that this User manages. */
  @QueryId() managerId?: string;
}

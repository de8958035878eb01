import { QueryId, QueryText } from '../validation/query/query-fields';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import { RecordId, RecordIds } from '../validation/fields/id-fields';
import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { Text, WebUrl } from '../validation/fields/text-fields';
import { FriendlySlugsDto, toFriendlySlugs } from '../slugs/friendly-slugs.dto';
import { Organization } from './organization.schema';

/** How many Apis an Organization features at most. */
const MAX_FEATURED = 4;

type Described = Pick<Organization, 'name' | 'url' | 'description'>;

/** An Organization, new or changed. What is left out has its default: PUT replaces. */
@ReadOnlyFields('_id', 'slug', 'friendlySlugs', 'managerIds', 'createdBy', 'createdAt', 'updatedAt')
export class OrganizationInput implements Described {
  /**
   * Unique without regard to case.
   * @example "Miller & Sons"
   */
  @Text({ max: 255, kind: 'name' })
  name!: string;

  /** @example "https://miller-and-sons.example" */
  @WebUrl()
  url!: string;

  /** @example "We make nets." */
  @Text({ max: 1000, kind: 'paragraphs', default: '' })
  description!: string;

  /**
   * Public Apis of this Organization, to be shown first.
   * @example []
   */
  @RecordIds({ max: MAX_FEATURED, default: [] })
  featuredApiIds!: string[];

  /**
   * A File that the caller uploaded.
   * @example null
   */
  @RecordId({ default: null })
  organizationLogoFileId!: string | null;
}

/** An Organization. */
export class OrganizationDto implements Described {
  /** @example "65f5f0a2c3d4e5f60718293c" */
  _id!: string;
  /** @example "Miller & Sons" */
  name!: string;
  /** @example "https://miller-and-sons.example" */
  url!: string;
  /** @example "We make nets." */
  description!: string;
  /** Made from the name; an old one still finds the record by `?slug=`. @example "miller-sons" */
  slug!: string;
  /** The Users who manage it, by joining. @example ["65f5f0a2c3d4e5f60718293a"] */
  managerIds!: string[];
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  createdBy!: string;
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
  friendlySlugs!: FriendlySlugsDto;
  /** @example null */
  organizationLogoFileId!: string | null;
  /** When what the record shows changed last. @example "2026-03-16T19:07:54.575Z" */
  updatedAt!: string;
  /** @example [] */
  featuredApiIds!: string[];
}

/** The parameters of the list of Organizations. */
export class OrganizationQuery extends SearchablePageQuery {
  /** The Organization that this slug finds, old ones included. */
  @QueryText({ max: 100 })
  slug?: string;

  /** Only Organizations that this User manages. */
  @QueryId()
  managerId?: string;
}

/** The fields of a stored Organization that answers and writes need. */
export const SHOWN_ORGANIZATION = {
  name: 1,
  url: 1,
  description: 1,
  slug: 1,
  'managers._id': 1,
  featuredApiIds: 1,
  organizationLogoFileId: 1,
  createdBy: 1,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
} as const;

/** An Organization as guards find it, services judge it and `toOrganization` shows it; of its Managers the ids only. */
export type OrganizationRecord = Pick<
  Organization,
  | '_id'
  | 'name'
  | 'url'
  | 'description'
  | 'slug'
  | 'featuredApiIds'
  | 'organizationLogoFileId'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'revision'
> & { managers: Pick<Organization['managers'][number], '_id'>[] };

/** An Organization as an answer shows it. */
export function toOrganization(organization: OrganizationRecord): OrganizationDto {
  return {
    _id: organization._id.toHexString(),
    name: organization.name,
    url: organization.url,
    description: organization.description,
    slug: organization.slug.text,
    managerIds: organization.managers.map(({ _id }) => _id.toHexString()),
    createdBy: organization.createdBy.toHexString(),
    createdAt: organization.createdAt.toISOString(),
    friendlySlugs: toFriendlySlugs(organization.slug),
    organizationLogoFileId: organization.organizationLogoFileId?.toHexString() ?? null,
    updatedAt: organization.updatedAt.toISOString(),
    featuredApiIds: organization.featuredApiIds.map((id) => id.toHexString()),
  };
}

import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { Text, WebUrl } from '../validation/fields/text-fields';
import { Flag, OneOf } from '../validation/fields/value-fields';
import { FriendlySlugsDto, toFriendlySlugs } from '../slugs/friendly-slugs.dto';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import { QueryId, QueryOneOf, QueryText } from '../validation/query/query-fields';
import { Api, LIFECYCLE_STATUSES, type LifecycleStatus } from './api.schema';

/** What its Organization says of an Api. */
export type Described = Pick<Api, 'name' | 'url' | 'description' | 'lifecycleStatus' | 'isPublic' | 'documentationUrl'>;

/** An Api, new or changed. What is left out has its default: PUT replaces. */
@ReadOnlyFields('_id', 'organizationId', 'slug', 'friendlySlugs', 'createdBy', 'createdAt', 'updatedAt')
export class ApiInput implements Described {
  /**
   * Unique in its Organization without regard to case.
   * @example "Net Sizes"
   */
  @Text({ max: 255, kind: 'name' })
  name!: string;

  /**
   * Where the Api is called.
   * @example "https://api.miller-and-sons.example/net-sizes"
   */
  @WebUrl()
  url!: string;

  /** @example "Which net for which fish." */
  @Text({ max: 1000, kind: 'paragraphs', default: '' })
  description!: string;

  /**
   * The stage of its life.
   * @example "production"
   */
  @OneOf(LIFECYCLE_STATUSES, { default: 'design' })
  lifecycleStatus!: LifecycleStatus;

  /**
   * Whether every account may see it, and not the Managers of its Organization and Admins alone. Turned private it
   * leaves the featured Apis of its Organization.
   * @example true
   */
  @Flag({ default: false })
  isPublic!: boolean;

  /**
   * Where its documentation is read.
   * @example "https://docs.miller-and-sons.example/net-sizes"
   */
  @WebUrl({ default: null })
  documentationUrl!: string | null;
}

/** An Api of an Organization. */
export class ApiDto implements Described {
  /** @example "65f5f0a2c3d4e5f60718293d" */
  _id!: string;
  /** The Organization that it belongs to. @example "65f5f0a2c3d4e5f60718293c" */
  organizationId!: string;
  /** @example "Net Sizes" */
  name!: string;
  /** Where the Api is called. @example "https://api.miller-and-sons.example/net-sizes" */
  url!: string;
  /** @example "Which net for which fish." */
  description!: string;
  /** The stage of its life. @example "production" */
  lifecycleStatus!: LifecycleStatus;
  /** Whether every account may see it. @example true */
  isPublic!: boolean;
  /** Where its documentation is read. @example "https://docs.miller-and-sons.example/net-sizes" */
  documentationUrl!: string | null;
  /** Made from the name; an old one still finds the record by `?slug=`. @example "net-sizes" */
  slug!: string;
  friendlySlugs!: FriendlySlugsDto;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  createdBy!: string;
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
  /** When what the record shows changed last. @example "2026-03-16T19:07:54.575Z" */
  updatedAt!: string;
}

/** The parameters of the list of Apis. */
export class ApiQuery extends SearchablePageQuery {
  /** Only Apis of this Organization. */
  @QueryId()
  organizationId?: string;

  /** Only Apis in this stage of their life. */
  @QueryOneOf(LIFECYCLE_STATUSES)
  lifecycleStatus?: LifecycleStatus;

  /** The Api that this slug finds, old ones included. */
  @QueryText({ max: 100 })
  slug?: string;
}

/** The fields of a stored Api that answers and writes need. */
export const SHOWN_API = {
  organizationId: 1,
  name: 1,
  url: 1,
  description: 1,
  lifecycleStatus: 1,
  isPublic: 1,
  documentationUrl: 1,
  slug: 1,
  createdBy: 1,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
} as const;

/** An Api as guards find it, services judge it and `toApi` shows it. */
export type ApiRecord = Pick<Api, '_id' | keyof typeof SHOWN_API>;

/** An Api as an answer shows it. */
export function toApi(api: ApiRecord): ApiDto {
  return {
    _id: api._id.toHexString(),
    organizationId: api.organizationId.toHexString(),
    name: api.name,
    url: api.url,
    description: api.description,
    lifecycleStatus: api.lifecycleStatus,
    isPublic: api.isPublic,
    documentationUrl: api.documentationUrl,
    slug: api.slug.text,
    friendlySlugs: toFriendlySlugs(api.slug),
    createdBy: api.createdBy.toHexString(),
    createdAt: api.createdAt.toISOString(),
    updatedAt: api.updatedAt.toISOString(),
  };
}

import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { Text, WebUrl } from '../validation/fields/text-fields';
import { Flag, OneOf } from '../validation/fields/value-fields';
import { ResponseField } from '../http/response-fields';
import { FriendlySlugsDto, toFriendlySlugs } from '../slugs/friendly-slugs.dto';
import { SearchablePageQuery } from '../validation/query/page-query.dto';
import { QueryId, QueryOneOf, QueryText } from '../validation/query/query-fields';
import { type ApiRecord, LIFECYCLE_STATUSES, type LifecycleStatus } from './api.schema';

/** A new API, or the new state of one. */
@ReadOnlyFields('_id', 'organizationId', 'slug', 'friendlySlugs', 'createdBy', 'createdAt', 'updatedAt')
export class ApiInput {
  /**
   * Unique in its Organization without regard to case.
   * @example "Net Sizes"
   */
  @Text({ max: 255, kind: 'name' })
  name!: string;

  /**
   * Where the API is called.
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
   * Whether every account may see it, or only the Managers of its Organization and Admins. An API that becomes private
   * is no longer featured.
   * @example true
   */
  @Flag({ default: false })
  isPublic!: boolean;

  /**
   * Where its documentation is.
   * @example "https://docs.miller-and-sons.example/net-sizes"
   */
  @WebUrl({ default: null })
  documentationUrl!: string | null;
}

/** An API of an Organization. */
export class ApiDto {
  /** The API's id. @example "65f5f0a2c3d4e5f60718293d" */
  @ResponseField('id') _id!: string;
  /** The Organization that it belongs to. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') organizationId!: string;
  /** @example "Net Sizes" */
  @ResponseField() name!: string;
  /** Where the API is called. @example "https://api.miller-and-sons.example/net-sizes" */
  @ResponseField() url!: string;
  /** @example "Which net for which fish." */
  @ResponseField() description!: string;
  /** The stage of its life. @example "production" */
  @ResponseField() lifecycleStatus!: LifecycleStatus;
  /** Whether every account may see it. @example true */
  @ResponseField() isPublic!: boolean;
  /** Where its documentation is. @example "https://docs.miller-and-sons.example/net-sizes" */
  @ResponseField() documentationUrl!: string | null;
  /** Made from the name. Old slugs still find the record with `?slug=`. @example "net-sizes" */
  @ResponseField('value', ({ slug }: ApiRecord) => slug.text) slug!: string;
  @ResponseField('value', toFriendlySlugs) friendlySlugs!: FriendlySlugsDto;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When something that the record shows last changed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') updatedAt!: string;
}

/** The query parameters of the list of APIs. */
export class ApiQuery extends SearchablePageQuery {
  /** Only APIs of this Organization. */
  @QueryId()
  organizationId?: string;

  /** Only APIs in this stage of their life. */
  @QueryOneOf(LIFECYCLE_STATUSES)
  lifecycleStatus?: LifecycleStatus;

  /** Only the API with this slug, which may be an old one. */
  @QueryText({ max: 100 })
  slug?: string;
}

import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { RequiredWith } from '../../platform/http/fields/related-fields';
import { IsoDate } from '../../platform/http/fields/date-field';
import { EmailAddress, ExternalId, PhoneNumber, Text, WebUrl } from '../../platform/http/fields/text-fields';
import { WORD, WORD_FORM, WORD_MAX, Words } from '../../platform/http/fields/list-fields';
import { Flag, OneOf, RecordId } from '../../platform/http/fields/value-fields';
import { ResponseField } from '../../platform/http/responses/response-fields';
import { FriendlySlugsDto } from '../../platform/http/responses/friendly-slugs.dto';
import { SearchablePageQuery } from '../../platform/http/query/page-query.dto';
import { QueryIds, QuerySlug, Sorts } from '../../platform/http/query/query-fields';
import {
  type ApiRecord,
  DEFINITION_TYPES,
  type DefinitionType,
  LIFECYCLE_STATUSES,
  type LifecycleStatus,
} from './api.schema';

/** A new API, or the new state of one. */
@ReadOnlyFields('_id', 'etag', 'organizationId', 'slug', 'friendlySlugs', 'createdBy', 'createdAt', 'updatedAt')
export class ApiInput {
  /** Unique in its Organization without regard to case. @example "Net Sizes" */
  @Text({ max: 255, kind: 'name' }) name!: string;
  /** The URL at which clients call the API. @example "https://api.miller-and-sons.example/net-sizes" */
  @WebUrl({ default: null }) url!: string | null;
  /** @example "Which net for which fish." */
  @Text({ max: 4000, kind: 'paragraphs', default: '' }) description!: string;
  /** The version that is offered, as you write it. @example "2.1" */
  @Text({ max: 40, kind: 'name', default: null }) version!: string | null;
  /** Its lifecycle stage. @example "production" */
  @OneOf(LIFECYCLE_STATUSES, { default: 'design' }) lifecycleStatus!: LifecycleStatus;
  /** When it will be, or was, switched off. @example "2027-03-31" */
  @IsoDate({ default: null }) sunsetAt!: string | null;
  /** Another API of the same Organization, which takes its place. @example null */
  @RecordId({ default: null }) successorId!: string | null;
  /**
   * Whether every account may see it, or only the Managers of its Organization and Admins. An API that becomes private
   * is no longer featured.
   * @example true
   */
  @Flag({ default: false }) isPublic!: boolean;
  /** Whether other Organizations may become its Consumers; its Managers and Admins may always add them. @example true */
  @Flag({ default: true }) acceptsConsumers!: boolean;
  /** The URL of its documentation. @example "https://docs.miller-and-sons.example/net-sizes" */
  @WebUrl({ default: null }) documentationUrl!: string | null;
  /** The contact for the API, a person or a team. @example "Net Sizes team" */
  @Text({ max: 100, kind: 'name', default: null }) contactName!: string | null;
  /** Their e-mail address. @example "net-sizes@miller-and-sons.example" */
  @EmailAddress({ default: null }) contactEmail!: string | null;
  /** Their telephone number. @example "+47 22 12 34 57" */
  @PhoneNumber({ default: null }) contactPhone!: string | null;
  /** Where to ask on the web. @example "https://miller-and-sons.example/help" */
  @WebUrl({ default: null }) contactUrl!: string | null;
  /**
   * The URL of its definition, such as an OpenAPI document. Roster does not fetch it.
   * @example "https://api.miller-and-sons.example/net-sizes/openapi.json"
   */
  @WebUrl({ default: null }) definitionUrl!: string | null;
  /** What its definition is; required with `definitionUrl`, `null` without it. @example "openapi" */
  @OneOf(DEFINITION_TYPES, { default: null })
  @RequiredWith('definitionUrl')
  definitionType!: DefinitionType | null;
  /** Words to find it by. @example ["fishing", "nets"] */
  @Words({ max: 10, default: [] }) tags!: string[];
  /** Its id in another system, unique in its Organization. Left out, it stays. @example "gateway-17" */
  @ExternalId() externalId?: string | null;
  /**
   * When somebody last made sure that the record is right; at most one day ahead. Left out, it stays.
   * @example "2026-03-16"
   */
  @IsoDate({ past: true, nullable: true }) reviewedAt?: string | null;
}

/** An API of an Organization. */
export class ApiDto {
  /** The record's id. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') _id!: string;
  /** The Organization that it belongs to. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') organizationId!: string;
  /** @example "Net Sizes" */
  @ResponseField() name!: string;
  /** The URL at which clients call the API. @example "https://api.miller-and-sons.example/net-sizes" */
  @ResponseField() url!: string | null;
  /** @example "Which net for which fish." */
  @ResponseField() description!: string;
  /** The version that is offered, as its owner writes it. @example "2.1" */
  @ResponseField() version!: string | null;
  /** Its lifecycle stage. @example "production" */
  @ResponseField() lifecycleStatus!: LifecycleStatus;
  /** When it will be, or was, switched off, as it was sent. @example "2027-03-31" */
  @ResponseField() sunsetAt!: string | null;
  /** The API of the same Organization that takes its place; it may be private. @example "65f5f0a2c3d4e5f60718293e" */
  @ResponseField('id') successorId!: string | null;
  /** Whether every account may see it. @example true */
  @ResponseField() isPublic!: boolean;
  /** Whether other Organizations may become its Consumers. @example true */
  @ResponseField('value', ({ acceptsConsumers }: Partial<ApiRecord>) => acceptsConsumers ?? true)
  acceptsConsumers!: boolean;
  /** The URL of its documentation. @example "https://docs.miller-and-sons.example/net-sizes" */
  @ResponseField() documentationUrl!: string | null;
  /** The contact for the API, a person or a team. @example "Net Sizes team" */
  @ResponseField() contactName!: string | null;
  /** Their e-mail address. @example "net-sizes@miller-and-sons.example" */
  @ResponseField() contactEmail!: string | null;
  /** Their telephone number. @example "+47 22 12 34 57" */
  @ResponseField() contactPhone!: string | null;
  /** Where to ask on the web. @example "https://miller-and-sons.example/help" */
  @ResponseField() contactUrl!: string | null;
  /** The URL of its definition. @example "https://api.miller-and-sons.example/net-sizes/openapi.json" */
  @ResponseField() definitionUrl!: string | null;
  /** What its definition is. @example "openapi" */
  @ResponseField() definitionType!: DefinitionType | null;
  /** Words to find it by, sorted. @example ["fishing", "nets"] */
  @ResponseField('value', ({ tags }: Partial<ApiRecord>) => tags ?? []) tags!: string[];
  /** Its id in another system. @example "gateway-17" */
  @ResponseField() externalId!: string | null;
  /** When somebody last made sure that the record is right, as it was sent. @example "2026-03-16" */
  @ResponseField() reviewedAt!: string | null;
  /** Made from the name. Old slugs still find the record with `?slug=`. @example "net-sizes" */
  @ResponseField('value', ({ slug }: ApiRecord) => slug.text) slug!: string;
  @ResponseField(FriendlySlugsDto, (record) => record) friendlySlugs!: FriendlySlugsDto;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When something that the record shows last changed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') updatedAt!: string;
}

/** The query parameters of the list of an Organization's APIs. */
@Sorts('name', '-name', 'updatedAt', '-updatedAt', 'sunsetAt')
export class OrganizationApiQuery extends SearchablePageQuery {
  /** Only these records: 1–100 ids, separated by commas, each once. `limit` is then 100 by default. */
  @QueryIds() id?: readonly string[];
  /** Only APIs with this name, compared as for uniqueness. */
  @Text({ max: 255, kind: 'name', filter: true }) name?: string;
  /** Only APIs with this tag. */
  @Text({ max: WORD_MAX, pattern: WORD, message: WORD_FORM, filter: true }) tag?: string;
  /** Only APIs in this lifecycle stage. */
  @OneOf(LIFECYCLE_STATUSES, { filter: true }) lifecycleStatus?: LifecycleStatus;
  /** Only APIs whose `sunsetAt` has ended before this time, which is 00:00 UTC for a date alone. */
  @IsoDate({ filter: true }) sunsetBefore?: string;
  /** Only APIs whose `sunsetAt` ends at this time or later; a date alone begins at 00:00 UTC. */
  @IsoDate({ filter: true }) sunsetAfter?: string;
  /** Only APIs that were last changed before this time, which is 00:00 UTC for a date alone. */
  @IsoDate({ filter: true }) updatedBefore?: string;
  /** `false`: only APIs without a contact of their own; `true`: only those with one. */
  @Flag({ filter: true }) hasContact?: boolean;
  /** Only APIs whose place this one takes. */
  @RecordId({ filter: true }) successorId?: string;
  /** Only APIs with this external id, compared exactly; an Organization has at most one. */
  @ExternalId({ filter: true }) externalId?: string;
  /** Only the API with this slug, which may be an old one. */
  @QuerySlug() slug?: string;
}

/** The query parameters of the list of APIs. */
export class ApiQuery extends OrganizationApiQuery {
  /** Only APIs of this Organization. */
  @RecordId({ filter: true }) organizationId?: string;
  /** Only APIs of the Organizations that this User manages; `me` is you. */
  @RecordId({ me: true, filter: true }) managerId?: string;
  /** Only APIs that this Organization uses. */
  @RecordId({ filter: true }) consumerId?: string;
}

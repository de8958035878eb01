import { QueryIds, QuerySlug, Sorts } from '../../platform/http/query/query-fields';
import { SearchablePageQuery } from '../../platform/http/query/page-query.dto';
import { field } from '../../platform/http/fields/field';
import { RecordIds } from '../../platform/http/fields/list-fields';
import { RecordId } from '../../platform/http/fields/value-fields';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { EmailAddress, ExternalId, PhoneNumber, Text, WebUrl } from '../../platform/http/fields/text-fields';
import { ResponseField } from '../../platform/http/responses/response-fields';
import { FriendlySlugsDto } from '../../platform/http/responses/friendly-slugs.dto';
import { managerIdsOf, MAX_MANAGERS, type OrganizationRecord } from './organization.schema';

/** A new Organization, or the new state of one. */
@ReadOnlyFields('_id', 'etag', 'slug', 'friendlySlugs', 'createdBy', 'createdAt', 'updatedAt')
export class OrganizationInput {
  /** Unique without regard to case. @example "Miller & Sons" */
  @Text({ max: 255, kind: 'name' }) name!: string;
  /** Its web address. @example "https://miller-and-sons.example" */
  @WebUrl({ default: null }) url!: string | null;
  /** @example "We make nets." */
  @Text({ max: 1000, kind: 'paragraphs', default: '' }) description!: string;
  /** The present Managers in any order, or left out: they are changed under `/organizations/{id}/managers`. */
  @field({
    presence: { optional: true },
    validators: [],
    schema: { type: Object, readOnly: true, maxItems: MAX_MANAGERS },
  })
  managerIds?: unknown;
  /** Up to four public APIs of this Organization, to be shown first. @example [] */
  @RecordIds({ max: 4, default: [] }) featuredApiIds!: string[];
  /** A File that you uploaded and that is not another Organization's logo. @example null */
  @RecordId({ default: null }) organizationLogoFileId!: string | null;
  /** The contact for the Organization, a person or a team. @example "Grace Miller" */
  @Text({ max: 100, kind: 'name', default: null }) contactName!: string | null;
  /** Their e-mail address. @example "grace@miller-and-sons.example" */
  @EmailAddress({ default: null }) contactEmail!: string | null;
  /** Their telephone number. @example "+47 22 12 34 56" */
  @PhoneNumber({ default: null }) contactPhone!: string | null;
  /** Where to ask on the web. @example "https://miller-and-sons.example/contact" */
  @WebUrl({ default: null }) contactUrl!: string | null;
  /** Its id in another system, unique. Only an Admin may set it. Left out, it stays. */
  @ExternalId() externalId?: string | null;
}

/** An Organization. */
export class OrganizationDto {
  /** The record's id. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') _id!: string;
  /** @example "Miller & Sons" */
  @ResponseField() name!: string;
  /** Its web address. @example "https://miller-and-sons.example" */
  @ResponseField() url!: string | null;
  /** @example "We make nets." */
  @ResponseField() description!: string;
  /** Made from the name. Old slugs still find the record with `?slug=`. @example "miller-sons" */
  @ResponseField('value', ({ slug }: OrganizationRecord) => slug.text) slug!: string;
  @ResponseField(FriendlySlugsDto, (record) => record) friendlySlugs!: FriendlySlugsDto;
  /** The Users who manage it, in the order of joining. @example ["65f5f0a2c3d4e5f60718293a"] */
  @ResponseField('ids', managerIdsOf) managerIds!: string[];
  /** The APIs to show first. @example [] */
  @ResponseField('ids') featuredApiIds!: string[];
  /** The File that is its logo. @example null */
  @ResponseField('id') organizationLogoFileId!: string | null;
  /** The contact for the Organization, a person or a team. @example "Grace Miller" */
  @ResponseField() contactName!: string | null;
  /** Their e-mail address. @example "grace@miller-and-sons.example" */
  @ResponseField() contactEmail!: string | null;
  /** Their telephone number. @example "+47 22 12 34 56" */
  @ResponseField() contactPhone!: string | null;
  /** Where to ask on the web. @example "https://miller-and-sons.example/contact" */
  @ResponseField() contactUrl!: string | null;
  /** Its id in another system. @example "crm-4711" */
  @ResponseField() externalId!: string | null;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When something that the record shows last changed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') updatedAt!: string;
}

/** The query parameters of the list of Organizations. */
@Sorts('name', '-name', 'updatedAt', '-updatedAt')
export class OrganizationQuery extends SearchablePageQuery {
  /** Only these records: 1–100 ids, separated by commas, each once. `limit` is then 100 by default. */
  @QueryIds() id?: readonly string[];
  /** Only the Organization with this name, compared as for uniqueness. */
  @Text({ max: 255, kind: 'name', filter: true }) name?: string;
  /** Only the Organization with this slug, which may be an old one. */
  @QuerySlug() slug?: string;
  /** Only the Organization with this external id, compared exactly. */
  @ExternalId({ filter: true }) externalId?: string;
  /** Only Organizations that this User manages; `me` is you. */
  @RecordId({ me: true, filter: true }) managerId?: string;
}

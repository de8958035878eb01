import { ApiSchema } from '@nestjs/swagger';
import { ResponseField, toResponse } from '../../platform/http/responses/response-fields';
import type { FieldChange } from '../../platform/records/transactions/changes';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { type Sort, SORTS } from '../../platform/http/query/query-fields';
import { IsoDate } from '../../platform/http/fields/date-field';
import { OneOf, RecordId } from '../../platform/http/fields/value-fields';
import type { EventRecord } from './event.schema';

/** A request field that a write has changed. */
class EventChangeDto {
  /** The name of the field. @example "isPublic" */
  @ResponseField() field!: string;
  /** The value before, of a flag or a field of a fixed set of words; left out for all others. @example false */
  @ResponseField('any', ({ from }: FieldChange) => from) from?: unknown;
  /** The value after, where `from` is given. @example true */
  @ResponseField('any', ({ to }: FieldChange) => to) to?: unknown;
}

/** What a write did to one record. Browsers have another `Event`. */
@ApiSchema({ name: 'AuditEvent' })
export class EventDto {
  /** The Event's id. @example "65f5f0a2c3d4e5f607182940" */
  @ResponseField('id') _id!: string;
  /** The resource and what happened to it. @example "api.updated" */
  @ResponseField() type!: string;
  /** The record that was created, changed or deleted. @example "65f5f0a2c3d4e5f60718293d" */
  @ResponseField('id') resourceId!: string;
  /** Its name or username, as it was then. @example "Net Sizes" */
  @ResponseField() resourceName!: string | null;
  /** The Organization that it is or belongs to. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') organizationId!: string | null;
  /** The User that it is or belongs to; of a Manager, the User. @example null */
  @ResponseField('id') userId!: string | null;
  /** Of a Consumer: the API that it uses. @example null */
  @ResponseField('id') apiId!: string | null;
  /** The name of that API, as it was then. @example null */
  @ResponseField() apiName!: string | null;
  /** The User who did it; null for the service and its commands. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') actorId!: string | null;
  /** Their username, as it was then. @example "ada" */
  @ResponseField() actorUsername!: string | null;
  /** The API key that was used. @example null */
  @ResponseField('id') apiKeyId!: string | null;
  /** The request fields that changed; none where the record was created or deleted. */
  @ResponseField('value', ({ changes }: EventRecord) => changes.map((change) => toResponse(EventChangeDto, change)))
  changes!: EventChangeDto[];
  /** The `X-Request-Id` of the request. @example "7f7a2d0e-6c0f-4d6f-9a51-6b1c2f6a4f11" */
  @ResponseField() requestId!: string | null;
  /** When it happened. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
}

/** The query parameters of the Events of an Organization. */
export class OrganizationEventsQuery extends PageQueryDto {
  /** `-_id` (default) for the newest first, or `_id`; `after` continues in this order. */
  @OneOf(SORTS, { default: '-_id', filter: true }) sort!: Sort;
  /** Only Events of this record. */
  @RecordId({ filter: true }) resourceId?: string;
  /** Only what this User did. */
  @RecordId({ filter: true }) actorId?: string;
  /** Only Events from this time on; a date alone is its first moment in UTC. */
  @IsoDate({ filter: true }) since?: string;
  /** Only Events up to this time, which is not before `since`; a date alone is its last moment in UTC. */
  @IsoDate({ filter: true }) until?: string;
}

/** The query parameters of all Events. */
export class EventsQuery extends OrganizationEventsQuery {
  /** Only Events of this Organization and what belongs to it. */
  @RecordId({ filter: true }) organizationId?: string;
}

import { ApiSchema } from '@nestjs/swagger';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { Text } from '../../platform/http/fields/text-fields';
import { RecordId } from '../../platform/http/fields/value-fields';
import { ResponseField } from '../../platform/http/responses/response-fields';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { QuerySearch } from '../../platform/http/query/query-fields';
import type { Organization } from '../organizations/organization.schema';
import type { StoredConsumer } from './consumer.schema';

/** The new state of a Consumer. */
@ApiSchema({ name: 'UpdateApiConsumerInput' })
@ReadOnlyFields('_id', 'name', 'slug', 'createdBy', 'createdAt')
export class UpdateConsumerInput {
  /** What it uses the API for. Everybody who may read the API sees it. @example "Prices in our shop." */
  @Text({ max: 500, kind: 'paragraphs', default: '' }) note!: string;
}

/** A new Consumer. */
@ApiSchema({ name: 'CreateApiConsumerInput' })
@ReadOnlyFields('_id', 'name', 'slug', 'createdBy', 'createdAt')
export class CreateConsumerInput {
  /** The Organization that uses the API. Unless you manage the API or are an Admin, you must manage it. @example "65f5f0a2c3d4e5f60718293c" */
  @RecordId() organizationId!: string;
  /** What it uses the API for. Everybody who may read the API sees it. @example "Prices in our shop." */
  @Text({ max: 500, kind: 'paragraphs', default: '' }) note!: string;
}

/** A Consumer with the id and the names of its Organization. */
export type ConsumerRecord = Pick<StoredConsumer, '_id' | 'note' | 'createdBy' | 'createdAt'> &
  Pick<Organization, 'name' | 'slug'>;

/** An Organization as the Consumer of an API. Some languages have a `Consumer` of their own. */
@ApiSchema({ name: 'ApiConsumer' })
export class ConsumerDto {
  /** The Organization's id. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') _id!: string;
  /** The current name of the Organization. @example "Nets & Co" */
  @ResponseField() name!: string;
  /** Its current slug. @example "nets-co" */
  @ResponseField('value', ({ slug }: ConsumerRecord) => slug.text) slug!: string;
  /** What it uses the API for. @example "Prices in our shop." */
  @ResponseField() note!: string;
  /** The User who added it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was added. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
}

/** The query parameters of the list of Consumers. */
export class ConsumerQuery extends PageQueryDto {
  /** Only records with this text in a searched field, ignoring case. */
  @QuerySearch({ max: 100 }) q?: string;
}

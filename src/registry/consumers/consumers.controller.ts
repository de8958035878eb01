import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Account } from '../../platform/http/access/account';
import { Allow, Caller, IfMatch, Loaded } from '../../platform/http/access/decorators';
import { Precondition } from '../../platform/http/responses/etag';
import { Returns, Throws } from '../../platform/http/responses/returns.decorator';
import type { Page } from '../../platform/records/reads/page';
import type { ApiRecord } from '../apis/api.schema';
import {
  ConsumerDto,
  ConsumerQuery,
  type ConsumerRecord,
  CreateConsumerInput,
  UpdateConsumerInput,
} from './consumer.dto';
import { ConsumersService, type LoadedConsumer } from './consumers.service';

/** `/apis/:id/consumers`. A Consumer shows names of its Organization, so its ETag is a hash of the response. */
@ApiTags('consumers')
@Controller('apis/:id/consumers')
export class ConsumersController {
  constructor(private readonly consumers: ConsumersService) {}

  /**
   * List the Consumers of an API
   * @remarks The Organizations to tell about changes, and before the API is switched off. `q` searches `name` and `note`.
   */
  @Get()
  @Allow('readApi')
  @Returns.list(ConsumerDto)
  list(@Loaded() api: ApiRecord, @Query() query: ConsumerQuery): Promise<Page<ConsumerRecord>> {
    return this.consumers.list(api, query);
  }

  /**
   * Add a Consumer to an API
   * @remarks The Organization must be one that you manage. Managers of the API and Admins may add any.
   */
  @Post()
  @Allow('addConsumer')
  @Throws('consumerExists', 'tooMany')
  @Returns.created(ConsumerDto)
  create(
    @Caller() caller: Account,
    @Loaded() api: ApiRecord,
    @Body() body: CreateConsumerInput,
  ): Promise<ConsumerRecord> {
    return this.consumers.create(caller, api, body);
  }

  /** Read a Consumer of an API */
  @Get(':consumerId')
  @Allow('readApi')
  @Returns.one(ConsumerDto)
  get(@Loaded() consumer: LoadedConsumer): ConsumerRecord {
    return this.consumers.get(consumer);
  }

  /** Replace a Consumer of an API */
  @Put(':consumerId')
  @Allow('changeConsumer')
  @Returns.updated(ConsumerDto)
  update(
    @Loaded() consumer: LoadedConsumer,
    @IfMatch() ifMatch: Precondition,
    @Body() body: UpdateConsumerInput,
  ): Promise<ConsumerRecord> {
    return this.consumers.update(consumer, ifMatch, body);
  }

  /**
   * Remove a Consumer from an API
   * @remarks The consumer's Managers may do so even if the API has become private.
   */
  @Delete(':consumerId')
  @Allow('removeConsumer')
  @Returns.deleted()
  remove(@Loaded() consumer: LoadedConsumer, @IfMatch() ifMatch: Precondition): Promise<void> {
    return this.consumers.remove(consumer, ifMatch);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Types } from 'mongoose';
import { Allow, Loaded } from '../../platform/http/access/decorators';
import type { Page } from '../../platform/records/reads/page';
import { Returns } from '../../platform/http/responses/returns.decorator';
import { EventDto, EventsQuery, OrganizationEventsQuery } from './event.dto';
import type { EventRecord } from './event.schema';
import { EventsService } from './events.service';

/** `/events` and `/organizations/:id/events`. */
@ApiTags('events')
@Controller()
export class EventsController {
  constructor(private readonly events: EventsService) {}

  /**
   * List Events
   * @remarks Who created, changed or deleted which record, the latest first. To follow the log, read from 60 s before
   * your last read and skip the `_id`s that you know.
   */
  @Get('events')
  @Allow('admin')
  @Returns.list(EventDto)
  list(@Query() query: EventsQuery): Promise<Page<EventRecord>> {
    return this.events.list(query);
  }

  /**
   * List the Events of an Organization
   * @remarks What happened to the Organization and what belongs to it. Of the APIs that it uses, while they are public:
   * when it becomes their Consumer and when it no longer is one, changes of their lifecycle, end and successor, their
   * deletion, and when they become private. The latest come first.
   */
  @Get('organizations/:id/events')
  @Allow('manager')
  @Returns.list(EventDto)
  listOf(
    @Loaded() organization: { _id: Types.ObjectId },
    @Query() query: OrganizationEventsQuery,
  ): Promise<Page<EventRecord>> {
    return this.events.listOf(organization, query);
  }
}

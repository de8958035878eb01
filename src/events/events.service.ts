import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import type { Page } from '../http/page';
import type { EventsQuery, OrganizationEventsQuery } from './event.dto';
import { Event, EventRecord } from './event.schema';

/** `/events` and `/organizations/:id/events` (contract §4). */
@Injectable()
export class EventsService {
  constructor(@InjectRecords(Event.name) private readonly events: Records<EventRecord>) {}

  list(query: EventsQuery): Promise<Page<EventRecord>> {
    const { resourceId, organizationId, actorId } = query;
    const given = Object.entries({ resourceId, organizationId, actorId }).filter(([, id]) => id !== undefined);
    return this.events.page(query, Object.fromEntries(given));
  }

  listOf({ _id }: { _id: Types.ObjectId }, query: OrganizationEventsQuery): Promise<Page<EventRecord>> {
    return this.list({ ...query, organizationId: _id.toHexString() });
  }
}

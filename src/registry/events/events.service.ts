import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Settings } from '../../platform/base/settings/settings';
import { HourlySweeps } from '../../platform/records/start/hourly-sweeps';
import { InjectRecords, Records } from '../../platform/records/records';
import { AllRecords } from '../../platform/records/records.module';
import type { Page } from '../../platform/records/reads/page';
import { lastMomentOf } from '../../platform/base/text/date';
import type { EventsQuery, OrganizationEventsQuery } from './event.dto';
import { idAt } from './event-log';
import { Event, EventRecord } from './event.schema';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Events to delete with one command: a shorter retention may be about a million, and a command has three seconds. */
const BATCH = 1000;

/** The end of the first id of a millisecond. */
const FIRST = '0'.repeat(12);

/** `/events` and `/organizations/:id/events` (contract §4). */
@Injectable()
export class EventsService {
  constructor(
    @InjectRecords(Event.name) private readonly events: Records<EventRecord>,
    private readonly records: AllRecords,
    private readonly settings: Settings,
    sweeps: HourlySweeps,
  ) {
    sweeps.add('events that were older than EVENT_RETENTION_DAYS', () => this.sweep());
  }

  list(query: EventsQuery): Promise<Page<EventRecord>> {
    const { resourceId, organizationId, actorId, since, until } = query;
    return this.events.page(query, { resourceId, organizationId, actorId, ...timeFilter(since, until) });
  }

  /** @throws ApiError organizationNotFound when it was deleted since the request was authorized; its Events stay */
  async listOf({ _id }: { _id: Types.ObjectId }, query: OrganizationEventsQuery): Promise<Page<EventRecord>> {
    const { resourceId, actorId, since, until } = query;
    const page = await this.events.page(query, { readerIds: _id, resourceId, actorId, ...timeFilter(since, until) });
    await this.records.of('Organization').assertExists(_id, 'organizationNotFound');
    return page;
  }

  /** Deletes Events that are older than `EVENT_RETENTION_DAYS`. @returns how many */
  async sweep(): Promise<number> {
    const { eventRetentionDays: days } = this.settings;
    if (days === 0) return 0;
    const end = idAt(new Date(Date.now() - days * DAY_MS), FIRST);
    for (let deleted = 0; ;) {
      const { lastId } = await this.events.page({ skip: 0, limit: BATCH }, { _id: { $lt: end } });
      if (lastId === undefined) return deleted;
      deleted += await this.events.removeAll({ _id: { $lte: lastId } });
    }
  }
}

/** The filter for a time, with which ids begin. */
function timeFilter(since: string | undefined, until: string | undefined): object {
  const from = since !== undefined && { $gte: idAt(new Date(since), FIRST) };
  const to = until !== undefined && { $lt: idAt(new Date(lastMomentOf(until) + 1), FIRST) };
  return from || to ? { _id: { ...from, ...to } } : {};
}

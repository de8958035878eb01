import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { Settings } from '../config/settings';
import { HourlySweep } from '../database/hourly-sweep';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { Event, EventRecord } from './event.schema';

const DAY_S = 24 * 60 * 60;

/** Events to delete with one command: a shorter retention may be about a million, and a command has three seconds. */
const BATCH = 1000;

/** Deletes Events that are older than `EVENT_RETENTION_DAYS`. */
@Injectable()
export class EventSweep extends HourlySweep {
  constructor(
    @InjectRecords(Event.name) private readonly events: Records<EventRecord>,
    private readonly settings: Settings,
  ) {
    super('events that were older than EVENT_RETENTION_DAYS');
  }

  async sweep(): Promise<number> {
    const { eventRetentionDays: days } = this.settings;
    if (days === 0) return 0;
    // An id begins with the time in seconds, so no other index is needed.
    const end = Types.ObjectId.createFromTime(Math.floor(Date.now() / 1000) - days * DAY_S);
    for (let deleted = 0; ;) {
      const { records, lastId } = await this.events.page({ skip: 0, limit: BATCH }, { _id: { $lt: end } });
      if (lastId === undefined) return deleted;
      deleted += await this.events.removeAll({ _id: { $lte: lastId } });
      if (records.length < BATCH) return deleted;
    }
  }
}

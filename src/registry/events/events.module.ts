import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { EventLog } from './event-log';
import { Event, EventSchema } from './event.schema';
import { EventsController } from './events.controller';
import { EventsService } from './events.service';

/** The history of all records: who created, changed or deleted what. */
@Module({
  imports: [RecordsModule.forFeature([{ name: Event.name, schema: EventSchema }])],
  controllers: [EventsController],
  providers: [EventLog, EventsService],
})
export class EventsModule {}

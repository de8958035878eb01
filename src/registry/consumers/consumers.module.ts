import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { ApisModule } from '../apis/apis.module';
import { OrganizationsModule } from '../organizations/organizations.module';
import { Consumer, ConsumerSchema } from './consumer.schema';
import { ConsumersController } from './consumers.controller';
import { ConsumersService } from './consumers.service';

/** The Organizations that use an API. */
@Module({
  imports: [
    RecordsModule.forFeature([{ name: Consumer.name, schema: ConsumerSchema }]),
    ApisModule,
    OrganizationsModule,
  ],
  controllers: [ConsumersController],
  providers: [ConsumersService],
})
export class ConsumersModule {}

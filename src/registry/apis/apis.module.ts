import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { OrganizationsModule } from '../organizations/organizations.module';
import { Api, ApiSchema } from './api.schema';
import { ApisController } from './apis.controller';
import { ApisService } from './apis.service';

/** The APIs that Organizations publish. */
@Module({
  imports: [RecordsModule.forFeature([{ name: Api.name, schema: ApiSchema }]), OrganizationsModule],
  controllers: [ApisController],
  providers: [ApisService],
  exports: [RecordsModule],
})
export class ApisModule {}

import { Module } from '@nestjs/common';
import { RecordsModule } from '../../platform/records/records.module';
import { FilesModule } from '../files/files.module';
import { UsersModule } from '../users/users.module';
import { Organization, OrganizationSchema } from './organization.schema';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';

/** The Organizations of the registry. */
@Module({
  imports: [
    FilesModule,
    UsersModule,
    RecordsModule.forFeature([{ name: Organization.name, schema: OrganizationSchema }]),
  ],
  controllers: [OrganizationsController],
  providers: [OrganizationsService],
  exports: [RecordsModule, OrganizationsService],
})
export class OrganizationsModule {}

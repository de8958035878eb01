import { Module } from '@nestjs/common';
import { resource } from '../../platform/http/access/resources';
import { RecordsModule } from '../../platform/records/records.module';
import { FilesModule } from '../files/files.module';
import { UsersModule } from '../users/users.module';
import { managerIdsOf } from './organization-ownership';
import { Organization, OrganizationRecord, OrganizationSchema } from './organization.schema';
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
  providers: [
    OrganizationsService,
    resource<OrganizationRecord>('organizations/:id', {
      description: 'The Organization',
      notFound: 'organizationNotFound',
      load: (id, { records }) => records.of<OrganizationRecord>(Organization.name).get(id),
      ownership: (organization) => ({ managerIds: managerIdsOf(organization) }),
    }),
  ],
  exports: [RecordsModule, OrganizationsService],
})
export class OrganizationsModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { resource } from '../auth/resources';
import { FilesModule } from '../files/files.module';
import { LimitsModule } from '../limits/limits.module';
import { UsersModule } from '../users/users.module';
import { managerIdsOf } from './organization-ownership';
import { Organization, OrganizationRecord, OrganizationSchema } from './organization.schema';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';

/** The Organizations of the registry. */
@Module({
  imports: [
    FilesModule,
    LimitsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: Organization.name, schema: OrganizationSchema }]),
  ],
  controllers: [OrganizationsController],
  providers: [
    OrganizationsService,
    resource<OrganizationRecord>('organizations/:id', {
      description: 'The Organization',
      notFound: 'organizationNotFound',
      load: (id, { records }) => records.find(Organization.name, id),
      ownership: (organization) => ({ managerIds: managerIdsOf(organization) }),
    }),
  ],
  exports: [MongooseModule, OrganizationsService],
})
export class OrganizationsModule {}

import { Module } from '@nestjs/common';
import { resource } from '../../platform/http/access/resources';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { OrganizationsModule } from '../organizations/organizations.module';
import { UsersModule } from '../users/users.module';
import { ManagersController } from './managers.controller';
import { ManagerRef, ManagersService } from './managers.service';

/** The Users who manage an Organization. */
@Module({
  imports: [OrganizationsModule, UsersModule],
  controllers: [ManagersController],
  providers: [
    ManagersService,
    resource<ManagerRef>('managers/:managerId', {
      description: 'The Manager: the id of the User',
      notFound: 'managerNotFound',
      // The path names the Organization first, so its managers have been loaded.
      load: (id, { parent }) => {
        const organization = parent!.record as OrganizationRecord;
        const manager = organization.managers.find(({ _id }) => _id.equals(id));
        return Promise.resolve(manager && { _id: manager._id, organization, revision: organization.revision });
      },
      ownership: (_, { parent }) => parent!.ownership,
    }),
  ],
})
export class ManagersModule {}

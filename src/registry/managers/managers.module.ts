import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module';
import { UsersModule } from '../users/users.module';
import { ManagersController } from './managers.controller';
import { ManagersService } from './managers.service';

/** The Users who manage an Organization. */
@Module({
  imports: [OrganizationsModule, UsersModule],
  controllers: [ManagersController],
  providers: [ManagersService],
  exports: [ManagersService],
})
export class ManagersModule {}

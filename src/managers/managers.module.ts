import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { ManagersController } from './managers.controller';
import { ManagersService } from './managers.service';
import { ManagerTarget } from './managers.target';

/** The Users who manage an Organization. */
@Module({
  imports: [UsersModule],
  controllers: [ManagersController],
  providers: [ManagersService, ManagerTarget],
})
export class ManagersModule {}

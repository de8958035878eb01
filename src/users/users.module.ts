import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module';
import { Admins } from './admins';
import { FirstAdmin } from './first-admin';
import { UserDeletionService } from './user-deletion.service';
import { UserUpdateService } from './user-update.service';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';
import { UserTarget } from './users.target';

/** The people with accounts. */
@Module({
  imports: [LimitsModule],
  controllers: [UsersController],
  providers: [Admins, FirstAdmin, UserDeletionService, UsersService, UserTarget, UserUpdateService],
  exports: [UsersService],
})
export class UsersModule {}

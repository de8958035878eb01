import { Module } from '@nestjs/common';
import { AccountLoader } from '../../platform/http/access/account';
import { RecordsModule } from '../../platform/records/records.module';
import { Admins } from './admins';
import { FirstAdmin } from './first-admin';
import { KnownAddresses } from './known-addresses';
import { PasswordCheck } from './password-check';
import { Passwords } from './passwords';
import { Registrations } from './registrations';
import { UserAccounts } from './user-accounts';
import { AdminGuard, AdminGuardSchema, User, UserSchema } from './user.schema';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

/** The people with accounts. */
@Module({
  imports: [
    RecordsModule.forFeature([
      { name: User.name, schema: UserSchema },
      { name: AdminGuard.name, schema: AdminGuardSchema },
    ]),
  ],
  controllers: [UsersController],
  providers: [
    Admins,
    FirstAdmin,
    KnownAddresses,
    PasswordCheck,
    Passwords,
    Registrations,
    UsersService,
    { provide: AccountLoader, useClass: UserAccounts },
  ],
  exports: [AccountLoader, KnownAddresses, RecordsModule, PasswordCheck, Passwords, UsersService],
})
export class UsersModule {}

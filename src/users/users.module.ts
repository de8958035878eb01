import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AccountLoader } from '../auth/account';
import { resource } from '../auth/resources';
import { LimitsModule } from '../limits/limits.module';
import { Admins } from './admins';
import { FirstAdmin } from './first-admin';
import { KnownAddresses } from './known-addresses';
import { PasswordCheck } from './password-check';
import { Passwords } from './passwords';
import { UserAccounts } from './user-accounts';
import { AdminGuard, AdminGuardSchema, User, UserRecord, UserSchema } from './user.schema';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

/** The people with accounts. */
@Module({
  imports: [
    LimitsModule,
    MongooseModule.forFeature([
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
    UsersService,
    { provide: AccountLoader, useClass: UserAccounts },
    resource<UserRecord>('users/:id', {
      description: 'The User',
      notFound: 'userNotFound',
      load: (id, { records }) => records.find(User.name, id),
      ownership: ({ _id }) => ({ ownerId: _id }),
    }),
  ],
  exports: [AccountLoader, KnownAddresses, MongooseModule, PasswordCheck, Passwords, UsersService],
})
export class UsersModule {}

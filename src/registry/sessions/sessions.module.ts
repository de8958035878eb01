import { Module } from '@nestjs/common';
import { Types } from 'mongoose';
import { resource } from '../../platform/http/access/resources';
import { isLive } from '../users/session.schema';
import { User, type UserRecord } from '../users/user.schema';
import { UsersModule } from '../users/users.module';
import { RefreshTokens } from './refresh-tokens';
import type { SessionRecord } from './session.dto';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

/** Logins and the tokens that they return. */
@Module({
  imports: [UsersModule],
  controllers: [SessionsController],
  providers: [
    RefreshTokens,
    SessionsService,
    resource<SessionRecord & { ownerId: Types.ObjectId }>('sessions/:id', {
      description: 'The Session',
      notFound: 'sessionNotFound',
      load: async (id, { records }) => {
        const users = records.of<UserRecord>(User.name);
        const [user] = await users.find<User>({ 'sessions._id': id }, { only: ['sessions.$'] });
        const session = user?.sessions[0];
        return user && session && isLive(session) ? { ...session, ownerId: user._id } : undefined;
      },
      ownership: ({ ownerId }) => ({ ownerId }),
    }),
  ],
})
export class SessionsModule {}

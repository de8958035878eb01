import { Module } from '@nestjs/common';
import { Types } from 'mongoose';
import { resource } from '../auth/resources';
import { isLive } from '../users/session.schema';
import { User } from '../users/user.schema';
import { UsersModule } from '../users/users.module';
import { RefreshTokens } from './refresh-tokens';
import type { SessionRecord } from './session.dto';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { TokensController } from './tokens.controller';

/** Logins and the tokens that they return. */
@Module({
  imports: [UsersModule],
  controllers: [SessionsController, TokensController],
  providers: [
    RefreshTokens,
    SessionsService,
    resource<SessionRecord & { ownerId: Types.ObjectId }>('sessions/:id', {
      description: 'The Session',
      notFound: 'sessionNotFound',
      load: async (id, { records }) => {
        const filter = { 'sessions._id': new Types.ObjectId(id) };
        const user = await records.model<User>(User.name).findOne(filter, { 'sessions.$': 1 }).lean();
        const session = user?.sessions[0];
        return user && session && isLive(session) ? { ...session, ownerId: user._id } : undefined;
      },
      ownership: ({ ownerId }) => ({ ownerId }),
    }),
  ],
})
export class SessionsModule {}

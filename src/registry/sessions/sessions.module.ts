import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { RefreshTokens } from './refresh-tokens';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

/** Logins and the tokens that they return. */
@Module({
  imports: [UsersModule],
  controllers: [SessionsController],
  providers: [RefreshTokens, SessionsService],
})
export class SessionsModule {}

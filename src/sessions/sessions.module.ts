import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module';
import { UsersModule } from '../users/users.module';
import { RefreshTokens } from './refresh-tokens';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { SessionTarget } from './sessions.target';
import { TokensController } from './tokens.controller';
import { TokensService } from './tokens.service';

/** Logins and the tokens they give. */
@Module({
  imports: [LimitsModule, UsersModule],
  controllers: [SessionsController, TokensController],
  providers: [RefreshTokens, SessionsService, SessionTarget, TokensService],
})
export class SessionsModule {}

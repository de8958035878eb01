import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessPlans } from './access-plans';
import { AccessTokens } from './access-tokens';
import { Accounts } from './accounts';
import { JwtStrategy } from './jwt.strategy';
import { SigningKeys, signingKeysProvider } from './signing-keys';
import { Targets } from './targets';

/** Who asks, what exists, who may: what the three guards of app.module.ts judge by. */
@Global()
@Module({
  imports: [DiscoveryModule, PassportModule],
  providers: [AccessPlans, AccessTokens, Accounts, JwtStrategy, signingKeysProvider, Targets],
  exports: [AccessPlans, AccessTokens, JwtStrategy, SigningKeys, Targets],
})
export class AccessModule {}

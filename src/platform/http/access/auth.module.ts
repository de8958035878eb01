import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessTokens } from './access-tokens';
import { IdentityProvider } from './identity-provider';
import { JwtStrategy } from './jwt.strategy';
import { OidcTokens } from './oidc-tokens';
import { Resources } from './resources';
import { RouteAccessTable } from './route-access';
import { SigningKeys, signingKeysProvider } from './signing-keys';

/** Access tokens, and what the guards of app.module.ts decide from. */
@Global()
@Module({
  imports: [DiscoveryModule, PassportModule],
  providers: [
    AccessTokens,
    IdentityProvider,
    JwtStrategy,
    OidcTokens,
    Resources,
    RouteAccessTable,
    signingKeysProvider,
  ],
  exports: [AccessTokens, IdentityProvider, OidcTokens, Resources, RouteAccessTable, SigningKeys],
})
export class AuthModule {}

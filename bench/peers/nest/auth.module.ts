import { Injectable, Module } from '@nestjs/common';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { PeerError, tokenKey, tokenOptions } from '../shared/service.mjs';
import { Account, UsersModule, UsersService } from './users.module';

export type AuthenticatedRequest = FastifyRequest & { user?: Account };

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly users: UsersService) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // Its types do not know KeyObject, which jsonwebtoken takes. With a string, each token would take far longer.
      secretOrKey: tokenKey as unknown as Buffer,
      ...tokenOptions,
      passReqToCallback: true,
    });
  }

  async validate({ id }: FastifyRequest, { sub, sid }: { sub: string; sid: string }): Promise<Account | false> {
    return (await this.users.findAccount(sub, sid, id)) ?? false;
  }
}

@Injectable()
export class JwtAuthGuard extends AuthGuard('jwt') {
  override handleRequest<T>(error: unknown, account: T | false): T {
    if (error) throw error as Error;
    if (!account) throw new PeerError('accountGone');
    return account;
  }
}

@Module({ imports: [PassportModule, UsersModule], providers: [JwtStrategy] })
export class AuthModule {}

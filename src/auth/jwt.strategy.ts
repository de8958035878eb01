import { randomUUID } from 'node:crypto';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decode, Jwt } from 'jsonwebtoken';
import passport from 'passport';
import { ExtractJwt, SecretOrKeyProvider, Strategy } from 'passport-jwt';
import { apiError } from '../errors/api-error';
import type { RosterRequest } from '../http/request';
import { AccessTokenClaims, ISSUER, TOKEN_TYPE } from './access-tokens';
import type { Account } from './account';
import { Accounts } from './accounts';
import { SigningKeys } from './signing-keys';

/** Verifies access tokens. jsonwebtoken alone takes tokens of any type and without an end, so both are asked for here. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt', 2) implements OnApplicationShutdown {
  constructor(
    keys: SigningKeys,
    private readonly accounts: Accounts,
  ) {
    const secretOrKeyProvider = ((_request: unknown, token: string, done) => {
      const key = keys.find(decode(token, { complete: true })?.header.kid);
      done(key ? null : new Error('unknown key'), key as never);
    }) as SecretOrKeyProvider;
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider,
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: ISSUER,
      jsonWebTokenOptions: { complete: true },
      passReqToCallback: true,
    });
    // Passport keeps strategies for the whole process: under one name, a second application in it would judge the
    // requests of the first by its own database.
    this.name = `jwt ${randomUUID()}`;
    passport.use(this);
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }

  /**
   * The account of a token that verified. What the path names is read at the same time (Judgement).
   *
   * @returns false for a token that is no access token
   * @throws Failure 401 when the account or the session is gone
   */
  async validate(request: RosterRequest, token: Jwt): Promise<Account | false> {
    const claims = token.payload as Partial<AccessTokenClaims>;
    if (token.header.typ !== TOKEN_TYPE || !claims.exp || !claims.sub || !claims.sid) return false;
    request.judgement?.startReading();
    const account = await this.accounts.find(claims.sub, claims.sid);
    if (!account) throw apiError('accountGone');
    return account;
  }
}

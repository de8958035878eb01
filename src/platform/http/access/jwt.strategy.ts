import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Jwt } from 'jsonwebtoken';
import { ExtractJwt, SecretOrKeyProvider, Strategy } from 'passport-jwt';
import { RECORD_ID } from '../record-id';
import { AccessTokenClaims, ISSUER, TOKEN_TYPE, decodeUnverified } from './access-tokens';
import { SigningKeys } from './signing-keys';

/** Verifies access tokens. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(keys: SigningKeys) {
    const secretOrKeyProvider = ((_request: unknown, token: string, done) => {
      const key = keys.find(decodeUnverified(token)?.header.kid);
      done(key ? null : new Error('unknown key'), key as never);
    }) as SecretOrKeyProvider;
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider,
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: ISSUER,
      jsonWebTokenOptions: { complete: true },
    });
  }

  /**
   * The claims of a token whose signature, issuer, audience and expiry are valid. jsonwebtoken accepts tokens of any
   * type, subjects of any type, tokens that never expire, and critical extensions that it does not know (RFC 7515 §4.1.11).
   * @returns false for a token that is not an access token
   */
  validate({ header, payload }: Jwt): AccessTokenClaims | false {
    const { sub, sid, exp } = payload as Partial<AccessTokenClaims>;
    const isAccessToken = header.typ === TOKEN_TYPE && header.crit === undefined;
    return isAccessToken && isId(sub) && isId(sid) && exp ? { sub, sid, exp } : false;
  }
}

/** The type is checked too: a pattern converts a list of one id to that id. */
function isId(claim: unknown): claim is string {
  return typeof claim === 'string' && RECORD_ID.test(claim);
}

import { Injectable } from '@nestjs/common';
import { decode, type Jwt, sign } from 'jsonwebtoken';
import { Types } from 'mongoose';
import { Settings } from '../../base/settings/settings';
import { SigningKeys } from './signing-keys';

/** Issuer and audience of access tokens: this service alone. */
export const ISSUER = 'roster';

/** The type of an access token (RFC 9068 §2.1). */
export const TOKEN_TYPE = 'at+jwt';

/** An access token as a response shows it (contract §3 Session). */
export interface AccessToken {
  accessToken: string;
  tokenType: 'Bearer';
  /** Seconds. */
  expiresIn: number;
}

/** The claims of an access token: the ids of the user and the session, and when it expires. */
export interface AccessTokenClaims {
  sub: string;
  sid: string;
  exp: number;
}

/** What a token says of itself; jsonwebtoken throws for some texts that are not tokens. */
export function decodeUnverified(token: string): Jwt | undefined {
  try {
    return decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Issues access tokens (contract §3 Session). */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly settings: Settings,
  ) {}

  issue(userId: Types.ObjectId, sessionId: Types.ObjectId): AccessToken {
    const expiresIn = this.settings.accessTokenTtl;
    const accessToken = sign({ sid: sessionId.toHexString() }, this.keys.current, {
      header: { alg: 'HS256', typ: TOKEN_TYPE, kid: this.keys.currentId },
      subject: userId.toHexString(),
      issuer: ISSUER,
      audience: ISSUER,
      expiresIn,
    });
    return { accessToken, tokenType: 'Bearer', expiresIn };
  }
}

import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { ExtractJwt } from 'passport-jwt';
import type { ApiKeyClaims } from './account';
import { hashOfApiKey, isApiKey } from './api-key';

type Verify = (key: string, done: (error: Error | null, claims?: ApiKeyClaims | false) => void) => void;

const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();

/** Takes API keys from the Authorization header, and from nowhere else. */
class BearerKeyStrategy extends passport.Strategy {
  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate(request: IncomingMessage): void {
    this.verify(bearerOf(request) ?? '', (error, claims) => {
      if (error) this.error(error);
      else if (claims) this.success(claims);
      else this.fail();
    });
  }
}

/** Verifies API keys as far as that is possible without the database. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BearerKeyStrategy, 'api-key') {
  /** @returns false for a text that is not a key */
  validate(key: string): ApiKeyClaims | false {
    return isApiKey(key) && { keyHash: hashOfApiKey(key) };
  }
}

import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { hashOfApiKey, isApiKey } from './api-key';
import { type ApiKeyClaims, credentialFor } from './credentials';

type Verify = (key: string, done: (error: Error | null, claims?: ApiKeyClaims | false) => void) => void;

/** Takes API keys from the Authorization header, and from nowhere else. */
class BearerKeyStrategy extends passport.Strategy {
  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate(request: IncomingMessage): void {
    const key = credentialFor('api-key', request);
    if (key === null) return this.fail();
    this.verify(key, (error, claims) => {
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

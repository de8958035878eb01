import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { logSecurity } from '../auth/security-events';
import { LoginLimits } from '../limits/login-limits';
import { caseFold } from '../validation/case-fold';
import { KnownAddresses } from './known-addresses';
import { Passwords } from './passwords';
import type { NamedUser } from './user.schema';

/** The username or e-mail address that came with a password. */
type Name = Partial<Record<'username' | 'email', string>>;

/** Checks presented passwords under the login limits (contract §4). */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly limits: LoginLimits,
    private readonly passwords: Passwords,
    private readonly knownAddresses: KnownAddresses,
  ) {}

  /**
   * Compares a password with the User's, with the same work whether the User exists or not. A wrong one is in the security
   * log; nothing that was sent is, because people type passwords in the place of usernames.
   * @throws ApiError tooManyRequests, overloaded
   */
  async isRight(password: string, name: Name, user: NamedUser | undefined, ip: string): Promise<boolean> {
    const isKnown = user !== undefined && this.knownAddresses.has(user, ip);
    const account = user?._id.toHexString() ?? unknownAccountKey(name);
    const isRight = await this.limits.attempt({ account, ip, isKnown }, () =>
      this.passwords.matches(password, user?.passwordHash, isKnown ? { account: user._id } : { ip }),
    );
    if (!isRight) logSecurity('loginFailed', { username: user?.username });
    return isRight;
  }
}

/**
 * The name can be of any length and is personal data, so the store of the limits gets only its hash. A username and an
 * e-mail address with the same text never share a limit where there is a User, so they must not where there is none.
 */
function unknownAccountKey({ username, email = '' }: Name): string {
  const text = username === undefined ? `email ${email}` : `username ${username}`;
  return createHash('sha256').update(caseFold(text)).digest('base64url');
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { logSecurity } from '../../platform/http/access/security-events';
import { context } from '../../platform/records/transactions/context';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { LoginAttempt, LoginLimits } from '../../platform/operations/limits/login-limits';
import { accountFold, emailFold } from '../../platform/base/text/case-fold';
import { KnownAddresses } from './known-addresses';
import { Passwords } from './passwords';
import type { UpdateUserInput } from './user.dto';
import type { NamedUser } from './user.schema';

/** The username or e-mail address that came with a password. */
type Name = Partial<Record<'username' | 'email', string>>;

const NO_PASSWORD =
  'cannot be checked: you have no password here, the identity provider has it. An Admin can make this change';

type SentPasswords = Pick<UpdateUserInput, 'password' | 'currentPassword'>;

/** Checks presented passwords under the login limits. */
@Injectable()
export class PasswordCheck {
  constructor(
    private readonly limits: LoginLimits,
    private readonly passwords: Passwords,
    private readonly knownAddresses: KnownAddresses,
  ) {}

  /** Compares a password with the User's, with the same work whether the User exists or not. */
  async isRight(password: string, name: Name, user: NamedUser | undefined): Promise<boolean> {
    const { address: ip } = context();
    const isKnown = user !== undefined && this.knownAddresses.has(user, ip);
    const account = user?._id.toHexString() ?? unknownAccountKey(name);
    const hashedFor = isKnown ? { account: user._id } : { ip };
    const isRight = await this.attempt({ account, ip, isKnown }, user, () =>
      this.passwords.matches(password, user?.passwordHash, hashedFor),
    );
    return isRight === true;
  }

  /**
   * Checks the passwords in a PUT of one's own record. A different password without the right
   * current one is a failed login; otherwise passwords could be guessed here.
   * @param isRenamed whether the PUT needs the current password in any case
   * @returns whether the password is a new one
   */
  async isChanged({ password, currentPassword }: SentPasswords, user: NamedUser, isRenamed: boolean): Promise<boolean> {
    const { address: ip } = context();
    const matches = (one: string) => this.passwords.matches(one, user.passwordHash, { account: user._id });
    const isKnown = this.knownAddresses.has(user, ip);
    let isNew = false;
    const isRight = await this.attempt({ account: user._id.toHexString(), ip, isKnown }, user, async () => {
      isNew = password !== undefined && !(await matches(password));
      if (currentPassword === undefined) return isNew ? false : undefined;
      return isNew || isRenamed ? matches(currentPassword) : undefined;
    });
    if (!isRight && (isNew || isRenamed)) {
      const error = currentPassword === undefined ? 'missing' : 'wrongCurrentPassword';
      const detail = user.passwordHash === null ? NO_PASSWORD : undefined;
      throw invalidContent(fieldError(error, 'currentPassword', detail));
    }
    return isNew;
  }

  /** Logs a wrong password, and nothing that was sent, because people type passwords in the place of usernames. */
  private async attempt(
    attempt: LoginAttempt,
    user: NamedUser | undefined,
    compare: () => Promise<boolean | undefined>,
  ): Promise<boolean | undefined> {
    const isRight = await this.limits.attempt(attempt, compare);
    if (isRight === false) logSecurity('loginFailed', { username: user?.username });
    return isRight;
  }
}

/**
 * The name can be of any length and is personal data, so the store of the limits gets only its hash. A username and an
 * e-mail address with the same text never share a limit where there is a User, so they must not where there is none.
 */
function unknownAccountKey({ username, email = '' }: Name): string {
  const text = username === undefined ? `email ${emailFold(email)}` : `username ${accountFold(username)}`;
  return createHash('sha256').update(text).digest('base64url');
}

import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account';
import { logSecurity } from '../auth/security-events';
import { Settings } from '../config/settings';
import { OnDelete } from '../database/declarations';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { oncePerWrite, outsideTransaction } from '../database/transaction';
import { apiError } from '../errors/api-error';
import { fieldError, invalidContent } from '../errors/field-error';
import type { Precondition } from '../http/etag';
import type { Page } from '../http/page';
import { RateLimits } from '../limits/rate-limits';
import { caseFold } from '../validation/case-fold';
import type { SearchablePageQuery } from '../validation/query/page-query.dto';
import { Admins } from './admins';
import { PasswordCheck } from './password-check';
import { Passwords } from './passwords';
import { CreateUserInput, UpdateUserInput } from './user.dto';
import { type NamedUser, NAMED_USER_FIELDS, User, type UserRecord } from './user.schema';

/** One of the ways to name a User. */
type UserName = Partial<Record<'_id' | 'username' | 'email', string>>;

/** A caller who creates a User; the service itself has no id. */
type Creator = Pick<Account, 'isAdmin'> & Partial<Pick<Account, '_id'>>;

const NAMED = { also: NAMED_USER_FIELDS };

/** `/users` (contract §4). */
@Injectable()
export class UsersService {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly admins: Admins,
    private readonly limits: RateLimits,
    private readonly passwords: Passwords,
    private readonly passwordCheck: PasswordCheck,
    private readonly settings: Settings,
  ) {}

  /** Admins see all Users, others themselves (contract §4). */
  list(caller: Account, query: SearchablePageQuery): Promise<Page<UserRecord>> {
    return this.users.page(query, caller.isAdmin ? {} : { _id: caller._id });
  }

  /**
   * Creates a User.
   * @param ip the caller's address; none for the service itself
   * @throws ApiError forbidden for roles that the caller may not grant; usernameTaken, emailTaken, tooManyRequests
   */
  async create(caller: Creator | undefined, body: CreateUserInput, ip?: string): Promise<UserRecord> {
    const { password, ...fields } = body;
    const isAdmin = caller?.isAdmin ?? false;
    if (body.roles.length > 0 && !isAdmin) throw apiError('forbidden', 'Only an Admin may set roles.');
    const count = (): Promise<void> => this.limits.countRegistration(ip);
    if (!isAdmin) await oncePerWrite('registration', count, () => this.limits.uncountRegistration(ip));
    const passwordHash = await oncePerWrite('hash', async () => {
      // Before the hash, which is expensive.
      await this.users.assertUnique(fields);
      return this.passwords.hash(password, { account: caller?._id, ip });
    });
    const user = await this.users.insert({ ...fields, emailSetByAdmin: isAdmin, passwordHash });
    if (user.roles.length > 0) await this.rolesChanged(user);
    return user;
  }

  /**
   * Replaces a User's fields, and the password and roles if the body has them (contract §3 User).
   * @throws InvalidContentError missing, wrongCurrentPassword; ApiError forbidden, preconditionFailed, usernameTaken,
   * emailTaken, lastAdmin, tooManyRequests
   */
  async update(
    caller: Account,
    user: UserRecord,
    ifMatch: Precondition,
    body: UpdateUserInput,
    ip: string,
  ): Promise<UserRecord> {
    const changes: Partial<User> = this.users.changes(user, body);
    const passwordHash = await this.checkPasswords(caller, user, body, changes, ip);
    this.authorizeChange(caller, changes);
    ifMatch.require(user);
    if (changes.email !== undefined) changes.emailSetByAdmin = caller.isAdmin;
    if (passwordHash) changes.passwordHash = passwordHash;
    const change = passwordHash ? { $pull: { sessions: sessionsToEnd(caller, user) } } : undefined;
    const updated = await this.users.update(user, changes, change);
    if (passwordHash) logSecurity('passwordChanged', { userId: String(user._id) });
    if (changes.roles) await this.rolesChanged(updated);
    return updated;
  }

  /** Deletes a User and all references to them. @throws ApiError preconditionFailed, lastAdmin, lastManager */
  async remove(user: UserRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(user);
    await this.users.remove(user);
  }

  /** An Admin who is deleted is not the last one. @throws ApiError lastAdmin */
  @OnDelete(User)
  async keepOneAdmin(user: UserRecord): Promise<void> {
    if (user.roles.length > 0) await this.rolesChanged({ ...user, roles: [] });
  }

  /** Finds a User by id, username or e-mail address, the last two without regard to case, in one read. */
  async find({ _id, username, email }: UserName): Promise<NamedUser | undefined> {
    if (_id !== undefined) return this.users.get<NamedUser>(_id, NAMED);
    const field = username === undefined ? 'email' : 'username';
    const name = username ?? email ?? '';
    const user = await this.users.findUnique<NamedUser>(field, name, NAMED);
    // The key also equates compatible characters; a User is found only by what differs in case.
    return user && caseFold(user[field]) === caseFold(name) ? user : undefined;
  }

  /** @throws ApiError lastAdmin */
  private async rolesChanged({ _id, roles }: UserRecord): Promise<void> {
    await this.admins.requireOne();
    logSecurity('rolesChanged', { userId: String(_id), roles });
  }

  /** @throws ApiError forbidden for roles, and for a name that only Admins can change (contract §3 User) */
  private authorizeChange(caller: Account, changes: Partial<User>): void {
    if (changes.roles && !caller.isAdmin) throw apiError('forbidden', 'Only an Admin may set roles.');
    if (isRenamed(changes) && !this.mayRename(caller))
      throw apiError('forbidden', 'Only an Admin may change a username or an e-mail address.');
  }

  private mayRename({ isAdmin }: Account): boolean {
    return isAdmin || this.settings.registration === 'open';
  }

  /**
   * Checks the current password where a change of one's own record needs it. A wrong one counts as a failed login.
   * @returns the hash of the new password; undefined when there is none, or it is already theirs
   * @throws InvalidContentError missing, wrongCurrentPassword; ApiError tooManyRequests, overloaded
   */
  private async checkPasswords(
    caller: Account,
    { _id }: UserRecord,
    { password, currentPassword }: UpdateUserInput,
    changes: Partial<User>,
    ip: string,
  ): Promise<string | undefined> {
    const isOwn = caller._id.equals(_id);
    const isChecked = isOwn && (password !== undefined || (isRenamed(changes) && this.mayRename(caller)));
    if (password === undefined && !isChecked) return undefined;
    const stored = await outsideTransaction(() => this.find({ _id: _id.toHexString() }));
    if (!stored) throw apiError('userNotFound');
    if (isChecked) {
      if (currentPassword === undefined) throw invalidContent(fieldError('missing', 'currentPassword'));
      const isRight = await oncePerWrite(`check against ${stored.passwordHash}`, () =>
        this.passwordCheck.isRight(currentPassword, { username: stored.username }, stored, ip),
      );
      if (!isRight) throw invalidContent(fieldError('wrongCurrentPassword', 'currentPassword'));
    }
    if (password === undefined) return undefined;
    return oncePerWrite(`new hash after ${stored.passwordHash}`, async () => {
      const whom = { account: caller._id };
      const isSame = await this.passwords.matches(password, stored.passwordHash, whom);
      return isSame ? undefined : this.passwords.hash(password, whom);
    });
  }
}

/** Tells a change of the names that a User logs in with. */
function isRenamed({ username, email }: Partial<User>): boolean {
  return username !== undefined || email !== undefined;
}

/** A changed password ends the User's other sessions; set by an Admin, all of them (contract §3 User). */
function sessionsToEnd(caller: Account, { _id }: UserRecord): object {
  return caller._id.equals(_id) ? { _id: { $ne: caller.sessionId } } : {};
}

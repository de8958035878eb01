import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { logSecurity } from '../auth/security-log';
import { Settings } from '../config/settings';
import { BatchReader } from '../database/batch-reader';
import { changedFields, newRecord } from '../database/derived-fields';
import { explainConflict, refuseTaken } from '../database/duplicate-key';
import { findPage } from '../database/find-page';
import { withoutInternal } from '../database/projections';
import { RecordWriter } from '../database/record-writer';
import { MAX_ATTEMPTS } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { fieldError, invalidContent } from '../errors/field-error';
import type { Page } from '../http/page';
import { RateLimits } from '../limits/rate-limits';
import { caseFold, uniqueKey } from '../validation/case-fold';
import type { SearchablePageQuery } from '../validation/query/page-query.dto';
import { Admins } from './admins';
import { PasswordCheck } from './password-check';
import { Passwords } from './passwords';
import { CreateUserInput, UpdateUserInput } from './user.dto';
import { NamedUser, NAMED_USER_FIELDS, User, UserRecord, UserSchema } from './user.schema';

/** One of the ways to name a User. */
type UserName = Partial<Record<'_id' | 'username' | 'email', string>>;

/** Work that another module adds to the deletion of a User. It runs in the same transaction. */
type DeletionStep = (user: UserRecord) => PromiseLike<unknown>;

/** `/users` (contract §4). */
@Injectable()
export class UsersService {
  private readonly deletionSteps: DeletionStep[] = [];
  private readonly byId: BatchReader<NamedUser>;
  private readonly byUsername: BatchReader<NamedUser>;
  private readonly byEmail: BatchReader<NamedUser>;

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly writer: RecordWriter,
    private readonly admins: Admins,
    private readonly limits: RateLimits,
    private readonly passwords: Passwords,
    private readonly passwordCheck: PasswordCheck,
    private readonly settings: Settings,
  ) {
    const projection = withoutInternal(UserSchema, [...NAMED_USER_FIELDS, 'usernameKey', 'emailKey']);
    this.byId = new BatchReader(users, projection);
    this.byUsername = new BatchReader(users, projection, 'usernameKey');
    this.byEmail = new BatchReader(users, projection, 'emailKey');
  }

  /** Admins see all Users, others themselves (contract §4). */
  list(caller: Account, query: SearchablePageQuery): Promise<Page<UserRecord>> {
    return findPage(this.users, caller.isAdmin ? {} : { _id: caller._id }, query);
  }

  /**
   * Creates a User.
   *
   * @param caller none where anyone may register
   * @param ip the caller's address; none for the service itself
   * @throws ApiError forbidden for roles that the caller may not grant; usernameTaken, emailTaken, tooManyRequests,
   *   overloaded, concurrentChange
   */
  async create(caller: Pick<Account, 'isAdmin'> | undefined, body: CreateUserInput, ip?: string): Promise<UserRecord> {
    const { password, ...fields } = body;
    const isAdmin = caller?.isAdmin ?? false;
    if (body.roles.length > 0 && !isAdmin) throw apiError('forbidden', 'Only an Admin may set roles.');
    const user = newRecord(UserSchema, { ...fields, emailSetByAdmin: isAdmin, passwordHash: '' });
    const insert = async (): Promise<void> => {
      // Before the hash, which is expensive.
      await refuseTaken(this.users, user);
      user.passwordHash = await this.passwords.hash(password, { ip, isKnown: isAdmin });
      await this.insert(user);
    };
    await (isAdmin ? insert() : this.limits.registration(ip, insert));
    if (user.roles.length > 0) logSecurity('rolesChanged', { userId: String(user._id), roles: user.roles });
    return user;
  }

  /**
   * Replaces a User's fields, and the password and roles if the body has them (contract §3 User).
   *
   * @param ip the caller's address, for the login limits
   * @throws InvalidContentError missing, wrongCurrentPassword; ApiError forbidden, preconditionFailed, usernameTaken,
   *   emailTaken, lastAdmin, tooManyRequests, concurrentChange
   */
  update(user: ForUpdate<UserRecord>, body: UpdateUserInput, ip: string): Promise<UserRecord> {
    return user.write(async (record) => {
      const changed = changedFields(UserSchema, record, body);
      const passwordHash = await this.checkPasswords(user, body, changed, ip);
      this.authorizeChange(user.account, changed);
      user.requireMatch();
      if (Object.keys(changed).length === 0 && !passwordHash) return record;
      const update = this.writer.update(this.users, record, {
        set: {
          ...changed,
          ...(changed.email !== undefined && { emailSetByAdmin: user.account.isAdmin }),
          ...(passwordHash && { passwordHash }),
        },
        ...(passwordHash && { change: { $pull: { sessions: sessionsToEnd(user) } } }),
        ...(changed.roles && { alongside: () => this.admins.requireOne() }),
      });
      const updated = await update.catch((error: unknown) =>
        explainConflict(error, this.users, { ...record, ...changed }),
      );
      const userId = String(record._id);
      if (updated && passwordHash) logSecurity('passwordChanged', { userId });
      if (updated && changed.roles) logSecurity('rolesChanged', { userId, roles: changed.roles });
      return updated;
    });
  }

  /**
   * Deletes a User with their sessions and all references to them, in one transaction.
   *
   * @throws ApiError preconditionFailed, lastAdmin, concurrentChange; what the steps of other modules throw
   */
  async remove(user: ForUpdate<UserRecord>): Promise<void> {
    await user.write((record) => {
      user.requireMatch();
      return this.writer.remove(this.users, record, async () => {
        if (record.roles.includes('admin')) await this.admins.requireOne();
        for (const step of this.deletionSteps) await step(record);
      });
    });
    const { _id, roles } = user.record;
    if (roles.length > 0) logSecurity('rolesChanged', { userId: String(_id), roles: [] });
  }

  /** Adds work to the deletion of a User, for modules whose records refer to Users. */
  onDelete(step: DeletionStep): void {
    this.deletionSteps.push(step);
  }

  /**
   * The User with this id, username or e-mail address, the last two without regard to case. It is one read, whether there
   * is such a User or not.
   */
  async find({ _id, username, email }: UserName): Promise<NamedUser | undefined> {
    if (_id !== undefined) return this.byId.find(_id);
    const name = username ?? email ?? '';
    const user = await (username === undefined ? this.byEmail : this.byUsername).find(uniqueKey(name));
    // The key also equates compatible characters; a User is found only by what differs in case.
    const own = username === undefined ? user?.email : user?.username;
    return own !== undefined && caseFold(own) === caseFold(name) ? user : undefined;
  }

  /** Tries again when whoever had the username or e-mail address is gone by the time it is looked up. */
  private async insert(user: UserRecord): Promise<void> {
    const requireAdmin = async (): Promise<boolean> => this.admins.requireOne().then(() => true);
    for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
      const isAdmin = user.roles.length > 0;
      if (await this.writer.insert(this.users, user, isAdmin ? requireAdmin : undefined)) return;
    }
    throw apiError('concurrentChange');
  }

  /** @throws ApiError forbidden for roles, and for a name that belongs to the Admins (contract §3 User) */
  private authorizeChange(caller: Account, changed: Partial<User>): void {
    if (changed.roles && !caller.isAdmin) throw apiError('forbidden', 'Only an Admin may set roles.');
    if (isRenamed(changed) && !this.mayRename(caller))
      throw apiError('forbidden', 'Only an Admin may change a username or an e-mail address.');
  }

  private mayRename({ isAdmin }: Account): boolean {
    return isAdmin || this.settings.registration === 'open';
  }

  /**
   * Checks the current password where a change of one's own record needs it. A wrong one counts as a failed login.
   *
   * @returns the hash of the new password; undefined when there is none, or it is already theirs
   */
  private async checkPasswords(
    user: ForUpdate<UserRecord>,
    { password, currentPassword }: UpdateUserInput,
    changed: Partial<User>,
    ip: string,
  ): Promise<string | undefined> {
    const isChecked = isOwn(user) && (password !== undefined || (isRenamed(changed) && this.mayRename(user.account)));
    if (password === undefined && !isChecked) return undefined;
    const stored = await this.byId.find(user.record._id.toHexString());
    if (!stored) throw apiError('userNotFound');
    if (isChecked) {
      if (currentPassword === undefined) throw invalidContent(fieldError('missing', 'currentPassword'));
      const presented = { password: currentPassword, name: { username: stored.username }, user: stored, ip };
      if (!(await this.passwordCheck.isRight(presented))) {
        throw invalidContent(fieldError('wrongCurrentPassword', 'currentPassword'));
      }
    }
    // Nobody gets here without an account and, for their own record, the right password.
    const caller = { ip, isKnown: true };
    if (password === undefined || (await this.passwords.matches(password, stored.passwordHash, caller))) {
      return undefined;
    }
    return this.passwords.hash(password, caller);
  }
}

/** Whether a change concerns what a User is known by. */
function isRenamed({ username, email }: Partial<User>): boolean {
  return username !== undefined || email !== undefined;
}

/** Whether callers change their own record. */
export function isOwn(user: ForUpdate<UserRecord>): boolean {
  return user.account._id.equals(user.record._id);
}

/** A changed password ends the User's other sessions; set by an Admin, all of them (contract §3 User). */
function sessionsToEnd(user: ForUpdate<UserRecord>): object {
  return isOwn(user) ? { _id: { $ne: user.account.sessionId } } : {};
}

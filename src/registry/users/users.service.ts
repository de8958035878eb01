import { Injectable } from '@nestjs/common';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { logSecurity } from '../../platform/http/access/security-events';
import { Settings } from '../../platform/base/settings/settings';
import { InjectRecords, Records } from '../../platform/records/records';
import { beforeTransaction, context, outsideTransaction } from '../../platform/records/transactions/context';
import { apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import type { ListChange } from '../../platform/records/schema/record.schema';
import type { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { RateLimits } from '../../platform/operations/limits/rate-limits';
import { accountFold, emailFold } from '../../platform/base/text/case-fold';
import { Admins } from './admins';
import { PasswordCheck } from './password-check';
import { Passwords } from './passwords';
import {
  type AccessFields,
  accessIn,
  authorizeFields,
  endSessions,
  isRenamed,
  needsLogin,
  shownTo,
  userGone,
  usersFor,
} from './user-access';
import { CreateUserInput, UpdateUserInput, UserQuery } from './user.dto';
import { type NamedUser, NAMED_USER_FIELDS, type Person, User, type UserRecord } from './user.schema';

/** One of the ways to name a User. */
type UserName = Partial<Record<'_id' | 'username' | 'email', string>>;

/** A caller who creates a User; the service itself has no id. */
type Creator = Pick<Account, 'isAdmin' | 'apiKeyId'> & Partial<Pick<Account, '_id'>>;

const NAMED = { also: NAMED_USER_FIELDS };

/** `/users` (contract §4). */
@Injectable()
export class UsersService {
  private readonly endings: ((user: UserRecord) => Promise<void>)[] = [];

  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly admins: Admins,
    private readonly limits: RateLimits,
    private readonly passwords: Passwords,
    private readonly passwordCheck: PasswordCheck,
    private readonly settings: Settings,
  ) {
    users.beforeRemoval((user) => this.keepOneAdmin(user));
  }

  /** Adds work for the transaction that ends all sessions of a User, or all but one: a new password, a suspension. */
  whenSessionsEnd(work: (user: UserRecord) => Promise<void>): void {
    this.endings.push(work);
  }

  /** Adds a rule about the deletion of a User. It is asked after that of the last Admin. */
  beforeRemoval(rule: (user: UserRecord) => Promise<void>): void {
    this.users.beforeRemoval(rule);
  }

  @Loads('users/:id', { description: 'The User; `me` is you', notFound: 'userNotFound', takesMe: true })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.users.get(id);
    return record && { record, ownership: { ownerId: record._id } };
  }

  /** Admins see all Users, others what `USER_DIRECTORY` says (contract §4). */
  async list(caller: Account, query: UserQuery): Promise<Page<UserRecord | Person>> {
    const { own, filter } = usersFor(caller, query, this.settings.userDirectory === 'accounts');
    const page = await this.users.page({ ...query, own }, filter);
    return { ...page, records: page.records.map((user) => shownTo(caller, user)) };
  }

  /** Creates a User. */
  async create(caller: Creator | undefined, body: CreateUserInput): Promise<UserRecord> {
    const { address: ip } = context();
    const { password, ...fields } = body;
    const isAdmin = caller?.isAdmin ?? false;
    const sets = accessIn(body);
    // An Admin makes a link with which the User sets it.
    if (!isAdmin && password === undefined && sets.externalId === undefined)
      throw invalidContent(fieldError('missing', 'password'));
    if (caller?.apiKeyId && (sets.roles ?? sets.externalId) !== undefined) throw apiError('apiKeyForbidden');
    if (!isAdmin) authorizeFields(sets);
    const count = (): Promise<void> => this.limits.countRegistration(ip);
    if (!isAdmin) await beforeTransaction('registration', count, () => this.limits.refundRegistration(ip));
    const passwordHash = await beforeTransaction('hash', async () => {
      // Before the hash, which is expensive.
      await this.users.assertUnique(fields);
      return password === undefined ? null : this.passwords.hash(password, { account: caller?._id, ip });
    });
    const suspendedAt = sets.isSuspended ? new Date() : null;
    const user = await this.users.insert({ ...fields, emailSetByAdmin: isAdmin, passwordHash, suspendedAt });
    await this.accessChanged(user, sets, sets.roles?.length ? { msg: `Admin ${user.username} created` } : {});
    return user;
  }

  /** Replaces a User's fields, and password, roles and suspension if the body has them (contract §3 User). */
  async update(caller: Account, user: UserRecord, ifMatch: Precondition, body: UpdateUserInput): Promise<UserRecord> {
    const changes: Partial<User> = await this.users.changes(user, body);
    if (caller.apiKeyId && needsLogin(user, body, changes)) throw apiError('apiKeyForbidden');
    if (!caller.isAdmin) authorizeFields(changes);
    if (isRenamed(changes) && !caller.isAdmin && this.settings.registration !== 'open')
      throw apiError('forbidden', 'Only an Admin may change a username or an e-mail address.');
    const passwordHash = await this.checkPasswords(caller, user, body, changes);
    ifMatch.require(user);
    if (changes.email !== undefined) changes.emailSetByAdmin = caller.isAdmin;
    if (passwordHash) changes.passwordHash = passwordHash;
    if (changes.isSuspended !== undefined) changes.suspendedAt = changes.isSuspended ? new Date() : null;
    return this.store(user, changes, endSessions(caller, user, changes));
  }

  /** Sets the password of a User who may, by a link; all of their sessions end. */
  setPassword(user: UserRecord, passwordHash: string): Promise<UserRecord> {
    return this.store(user, { passwordHash }, { $pull: { sessions: {} } });
  }

  /** Deletes a User and all references to them. @throws ApiError apiKeyForbidden, lastAdmin, lastManager */
  async remove(caller: Account, user: UserRecord, ifMatch: Precondition): Promise<void> {
    // Who is an Admin must not depend on a key (contract §4 API keys).
    if (caller.apiKeyId && user.roles.length > 0) throw apiError('apiKeyForbidden');
    ifMatch.require(user);
    await this.users.remove(user);
  }

  /** Finds a User by id, username or e-mail address, the last two without regard to case, in one read. */
  async find({ _id, username, email }: UserName): Promise<NamedUser | undefined> {
    if (_id !== undefined) return this.users.get<NamedUser>(_id, NAMED);
    const [field, fold] =
      username === undefined ? (['email', emailFold] as const) : (['username', accountFold] as const);
    const name = username ?? email ?? '';
    const user = await this.users.findUnique<NamedUser>(field, name, NAMED);
    // The key also equates compatible characters; a User is found only by what differs in case, or the form of a domain.
    return user && fold(user[field]) === fold(name) ? user : undefined;
  }

  /** @param ended the sessions that the changes end, if they do */
  private async store(user: UserRecord, changes: Partial<User>, ended?: ListChange): Promise<UserRecord> {
    const updated = await this.users.update(user, changes, ended);
    if (ended) for (const end of this.endings) await end(user);
    if (changes.passwordHash) logSecurity('passwordChanged', { userId: String(user._id) });
    await this.accessChanged(updated, changes);
    return updated;
  }

  /** An Admin who is deleted is not the last one. @throws ApiError lastAdmin */
  private async keepOneAdmin(user: UserRecord): Promise<void> {
    if (user.roles.length > 0) await this.accessChanged(user, { roles: [] });
  }

  private async accessChanged(
    user: UserRecord,
    { roles, isSuspended, externalId }: AccessFields,
    more: { msg?: string } = {},
  ): Promise<void> {
    const userId = String(user._id);
    if (roles || (isSuspended !== undefined && user.roles.length > 0)) await this.admins.requireOne();
    if (roles) logSecurity('rolesChanged', { userId, roles, ...more });
    if (isSuspended !== undefined) logSecurity('suspensionChanged', { userId, isSuspended });
    if (externalId !== undefined) logSecurity('externalIdChanged', { userId, externalId });
  }

  /**
   * Checks the passwords where a PUT has a password, or a change of one's own record that needs the current one.
   * @returns the hash of the new password; undefined when there is none, or it is already theirs
   */
  private async checkPasswords(caller: Account, { _id }: UserRecord, body: UpdateUserInput, changes: Partial<User>) {
    const { password = '' } = body;
    const isOwn = caller._id.equals(_id);
    const needsCurrent = isOwn && isRenamed(changes);
    if (!password && !needsCurrent) return undefined;
    const user = await outsideTransaction(() => this.find({ _id: _id.toHexString() }));
    if (!user) throw userGone(_id);
    return beforeTransaction(`passwords against ${user.passwordHash} ${needsCurrent}`, async () => {
      const hashedFor = { account: caller._id };
      const isChanged = isOwn
        ? await this.passwordCheck.isChanged(body, user, needsCurrent)
        : !(await this.passwords.matches(password, user.passwordHash, hashedFor));
      return isChanged ? this.passwords.hash(password, hashedFor) : undefined;
    });
  }
}

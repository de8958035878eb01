import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, UpdateQuery } from 'mongoose';
import type { Change } from '../auth/change';
import { rekey } from '../database/rekey';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { fieldError, invalidContent } from '../errors/field-error';
import { uniqueKey } from '../validation/case-fold';
import { RateLimits } from '../limits/rate-limits';
import { Admins } from './admins';
import { hashPassword, isPassword } from './passwords';
import { SHOWN_USER, UserRecord, UpdateUserInput } from './user.dto';
import { User } from './user.schema';
import { describedFields, UsersService } from './users.service';

/** PUT /users/:id. */
@Injectable()
export class UserUpdateService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly service: UsersService,
    private readonly transactions: Transactions,
    private readonly admins: Admins,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Replaces what a User says of themselves, and their password and roles where given (contract §3 User).
   *
   * @param ip the caller's address, for the login limits
   * @throws InvalidContent wrongCurrentPassword; Failure forbidden, preconditionFailed, usernameTaken, emailTaken,
   *   lastAdmin, tooManyRequests, concurrentChange
   */
  update(user: Change<UserRecord>, body: UpdateUserInput, ip: string): Promise<UserRecord> {
    return user.write(async (record) => {
      const passwordHash = await this.newPasswordHash(user, body, ip);
      const roles = body.roles ?? record.roles;
      const rolesChange = roles.length !== record.roles.length;
      if (rolesChange && !user.account.isAdmin) throw apiError('forbidden');
      user.requireMatch();
      const described = describedFields(body);
      if (!rolesChange && !passwordHash && isSame(record, described)) return record;
      const set = { ...described, roles, updatedAt: new Date(), ...(passwordHash && { passwordHash }) };
      const change = { $set: set, $inc: { revision: 1 }, ...(passwordHash && { $pull: endedSessions(user) }) };
      const written = this.write(record, change, described, rolesChange);
      return written.catch((error: unknown) => this.service.explainConflict(error, { ...record, ...described }));
    });
  }

  /** One update, unless the role of Admin is granted or taken, or the User is found by other keys than before. */
  private async write(
    record: UserRecord,
    change: UpdateQuery<User>,
    keys: Pick<User, 'usernameKey' | 'emailKey'>,
    rolesChange: boolean,
  ): Promise<UserRecord | undefined> {
    const judged = { _id: record._id, revision: record.revision };
    const { usernameKey, emailKey } = keys;
    const rekeyed = uniqueKey(record.username) !== usernameKey || uniqueKey(record.email) !== emailKey;
    const options = { projection: SHOWN_USER, returnDocument: 'after' } as const;
    const update = async (): Promise<UserRecord | undefined> =>
      (await this.users.findOneAndUpdate(judged, change, options).lean()) ?? undefined;
    if (!rolesChange && !rekeyed) return update();
    return this.transactions.attempt(async () => {
      if (rolesChange && !(await this.changeRole(record))) return undefined;
      if (rekeyed && !(await rekey(this.users, judged, { usernameKey, emailKey }))) return undefined;
      return update();
    });
  }

  private changeRole(record: UserRecord): Promise<boolean> {
    return record.roles.includes('admin') ? this.admins.remove(record._id) : this.admins.add(record._id);
  }

  /** The hash of the password that a body sets; undefined when it sets none, or the one that is already theirs. */
  private async newPasswordHash(
    user: Change<UserRecord>,
    { password, currentPassword = '' }: UpdateUserInput,
    ip: string,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const { _id, username } = user.record;
    const stored = await this.users.findOne({ _id }, { passwordHash: 1 }).lean();
    if (!stored) throw apiError('userNotFound');
    if (isOwn(user)) {
      const verify = async (): Promise<true | undefined> =>
        (await isPassword(currentPassword, stored.passwordHash)) || undefined;
      const verified = await this.limits.loginAttempt(username, ip, verify);
      if (!verified) throw invalidContent(fieldError('wrongCurrentPassword', 'currentPassword'));
    }
    return (await isPassword(password, stored.passwordHash)) ? undefined : hashPassword(password);
  }
}

/** Whether a caller changes their own record. */
export function isOwn(user: Change<UserRecord>): boolean {
  return user.account._id.equals(user.record._id);
}

/** A changed password ends the User's other sessions; set by an Admin, all (contract §3 User). */
function endedSessions(user: Change<UserRecord>): object {
  return { sessions: isOwn(user) ? { _id: { $ne: user.account.sessionId } } : {} };
}

function isSame(record: UserRecord, described: ReturnType<typeof describedFields>): boolean {
  const { username, companyName, email } = record;
  return username === described.username && companyName === described.companyName && email === described.email;
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, UpdateQuery } from 'mongoose';
import type { Subject } from '../access/subject';
import { Transactions } from '../database/transactions';
import { fail } from '../http/failures';
import { fault, invalid } from '../http/faults';
import { RateLimits } from '../limits/rate-limits';
import { Admins } from './admins';
import { hashPassword, isPassword } from './passwords';
import { SHOWN_USER, ShownUser, UpdateUserBody } from './user.dto';
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
  update(user: Subject<ShownUser>, body: UpdateUserBody, ip: string): Promise<ShownUser> {
    return user.write(async (record) => {
      const passwordHash = await this.newPasswordHash(user, body, ip);
      const roles = body.roles ?? record.roles;
      const rolesChange = roles.length !== record.roles.length;
      if (rolesChange && !user.account.isAdmin) throw fail('forbidden');
      user.requireMatch();
      const described = describedFields(body);
      if (!rolesChange && !passwordHash && isSame(record, described)) return record;
      const set = { ...described, roles, updatedAt: new Date(), ...(passwordHash && { passwordHash }) };
      const change = { $set: set, $inc: { revision: 1 }, ...(passwordHash && { $pull: endedSessions(user) }) };
      const write = () => this.write(record, change);
      const written = rolesChange ? this.withRole(record, write) : write();
      return written.catch((error: unknown) => this.service.explainConflict(error, { ...record, ...described }));
    });
  }

  private async write(record: ShownUser, change: UpdateQuery<User>): Promise<ShownUser | undefined> {
    const judged = { _id: record._id, revision: record.revision };
    const options = { projection: SHOWN_USER, returnDocument: 'after' } as const;
    return (await this.users.findOneAndUpdate(judged, change, options).lean()) ?? undefined;
  }

  /** Grants or takes the role of Admin together with the write. */
  private withRole(record: ShownUser, write: () => Promise<ShownUser | undefined>): Promise<ShownUser | undefined> {
    return this.transactions.attempt(async () => {
      if (record.roles.includes('admin')) await this.admins.remove(record._id);
      else await this.admins.add(record._id);
      return write();
    });
  }

  /** The hash of the password that a body sets; undefined when it sets none, or the one that is already theirs. */
  private async newPasswordHash(
    user: Subject<ShownUser>,
    { password, currentPassword = '' }: UpdateUserBody,
    ip: string,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const { _id, username } = user.record;
    const stored = await this.users.findOne({ _id }, { passwordHash: 1 }).lean();
    if (!stored) throw fail('userNotFound');
    if (isOwn(user)) {
      const verify = async (): Promise<true | undefined> =>
        (await isPassword(currentPassword, stored.passwordHash)) || undefined;
      const verified = await this.limits.loginAttempt(username, ip, verify);
      if (!verified) throw invalid(fault('wrongCurrentPassword', 'currentPassword'));
    }
    return (await isPassword(password, stored.passwordHash)) ? undefined : hashPassword(password);
  }
}

/** Whether a caller changes their own record. */
export function isOwn(user: Subject<ShownUser>): boolean {
  return user.account._id.equals(user.record._id);
}

/** A changed password ends the User's other sessions; set by an Admin, all (contract §3 User). */
function endedSessions(user: Subject<ShownUser>): object {
  return { sessions: isOwn(user) ? { _id: { $ne: user.account.sessionId } } : {} };
}

function isSame(record: ShownUser, described: ReturnType<typeof describedFields>): boolean {
  const { username, companyName, email } = record;
  return username === described.username && companyName === described.companyName && email === described.email;
}

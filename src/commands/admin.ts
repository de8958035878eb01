import { randomBytes } from 'node:crypto';
import { Connection, Types } from 'mongoose';
import { logSecurity } from '../platform/http/access/security-events';
import { inContext } from '../platform/records/transactions/context';
import { StartError } from '../platform/base/errors/start-error';
import { buildIndexes } from '../platform/records/start/index-build';
import { Transactions } from '../platform/records/transactions/transactions';
import { messageOf } from '../platform/base/errors/message-of';
import { Event } from '../registry/events/event.schema';
import { Precondition } from '../platform/http/responses/etag';
import { RECORD_ID } from '../platform/http/record-id';
import { COMPANY } from '../registry/users/first-admin';
import { CreateUserInput, UpdateUserInput } from '../registry/users/user.dto';
import { LinksService } from '../registry/links/links.service';
import { User, UserRecord } from '../registry/users/user.schema';
import { UsersService } from '../registry/users/users.service';
import { validateFields } from '../platform/http/fields/validate-fields';

/** The operator has the rights of an Admin, but no User and no session. */
const OPERATOR = { _id: new Types.ObjectId('0'.repeat(24)), username: 'operator', isAdmin: true };

const newPassword = (): string => randomBytes(18).toString('base64url');

/**
 * Runs a command of an operator, and logs it. A username is logged only once the User is known to exist: people
 * mistype, and type passwords.
 */
export function logCommand<T>(command: string, about: object, work: () => Promise<T>): Promise<T> {
  return inContext({ operator: `uid ${process.getuid?.()}` }, async () => {
    const result = await work().catch((error: unknown) => {
      logSecurity('adminCommand', { command, outcome: 'failed' });
      throw error;
    });
    logSecurity('adminCommand', { command, ...about, outcome: 'done' });
    return result;
  });
}

/**
 * The commands of `npm run admin`; each returns what to print. UsersService writes, so they keep the rules of a PUT by
 * an Admin. They throw a StartError for an unknown User or an invalid name, and the ApiErrors of that PUT.
 */
export class AdminCommands {
  constructor(
    private readonly users: UsersService,
    private readonly links: LinksService,
    private readonly transactions: Transactions,
    private readonly connection: Connection,
  ) {}

  async list(): Promise<string> {
    const admins = await this.connection.model<User>(User.name).find({ roles: 'admin' }).sort({ _id: 1 }).lean();
    if (admins.length === 0) return 'There is no Admin.';
    return admins
      .map(({ username, email, isSuspended }) => `${username}  ${email}${isSuspended ? '  (suspended)' : ''}`)
      .join('\n');
  }

  async create(username: string, email: string): Promise<string> {
    const password = newPassword();
    const fields = { username, email, companyName: COMPANY, password, roles: ['admin'] };
    const { value, fieldErrors } = validateFields(CreateUserInput, fields);
    const [invalid] = fieldErrors;
    if (invalid) throw new StartError(`The ${invalid.title} ${invalid.detail}.`);
    // The service may never have started on this database.
    await buildIndexes(this.connection).catch((cause: unknown) => {
      throw new StartError(`No User can be created: ${messageOf(cause)}.`, { cause });
    });
    await this.transactions.run(() => this.users.create(OPERATOR, value));
    return `${value.username} is an Admin. Password, shown only once: ${password}`;
  }

  async resetPassword(name: string): Promise<string> {
    const password = newPassword();
    const { username } = await this.update(name, { password });
    return `All sessions of ${username} have ended. New password, shown only once: ${password}`;
  }

  async link(name: string): Promise<string> {
    const user = await this.find(name);
    const make = () => this.links.createForPassword(undefined, user);
    const { token, path, expiresAt } = await this.transactions.run(make);
    const what = path === null ? 'this token for POST /links/current' : 'the address of the service with this path';
    return `Send ${user.username} ${what}. It sets a password until ${expiresAt.toISOString()}, and is shown only once: ${path ?? token}`;
  }

  readonly grant = this.changing({ roles: ['admin'] }, 'is an Admin.');
  readonly revoke = this.changing({ roles: [] }, 'is not an Admin.');
  readonly suspend = this.changing({ isSuspended: true }, 'is suspended, and all their sessions have ended.');
  readonly unsuspend = this.changing({ isSuspended: false }, 'is not suspended.');

  /** Removes the names of a deleted User from all Events before their retention ends. */
  async forget(userId: string): Promise<string> {
    if (!RECORD_ID.test(userId)) throw new StartError(`"${userId}" is not the id of a User.`);
    if (await this.users.find({ _id: userId })) throw new StartError('This User exists. Delete the User first.');
    const events = this.connection.model<Event>(Event.name);
    const asActor = await events.updateMany({ actorId: userId }, { $set: { actorUsername: null } });
    const asUser = await events.updateMany({ resourceId: userId }, { $set: { resourceName: null } });
    return `Removed from ${asActor.modifiedCount + asUser.modifiedCount} events.`;
  }

  private changing(change: Partial<UpdateUserInput>, outcome: string): (name: string) => Promise<string> {
    return async (name) => `${(await this.update(name, change)).username} ${outcome}`;
  }

  private update(username: string, change: Partial<UpdateUserInput>): Promise<UserRecord> {
    return this.transactions.run(async () =>
      this.users.update(OPERATOR, await this.find(username), new Precondition(), change as UpdateUserInput),
    );
  }

  private async find(username: string): Promise<UserRecord> {
    const user = await this.users.find({ username });
    if (!user) throw new StartError(`No User has the username "${username}".`);
    return user;
  }
}

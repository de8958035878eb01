import { randomBytes } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken, getModelToken } from '@nestjs/mongoose';
import { Connection, Model, Types } from 'mongoose';
import { StartError } from '../config/start-error';
import { buildUniqueIndexes } from '../database/index-build';
import { Transactions } from '../database/transactions';
import { messageOf } from '../errors/message-of';
import { Precondition } from '../http/etag';
import { COMPANY } from '../users/first-admin';
import { CreateUserInput, UpdateUserInput } from '../users/user.dto';
import { User, UserRecord } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { validateFields } from '../validation/fields/validate-fields';
import type { Command } from './options';

/** The operator has the rights of an Admin, but no User and no session. */
const OPERATOR = { _id: new Types.ObjectId('0'.repeat(24)), isAdmin: true, sessionId: new Types.ObjectId() };

/** The commands of `npm run admin`. UsersService writes, so they keep the rules of a PUT by an Admin. */
export class AdminCommands {
  private readonly users: UsersService;
  private readonly model: Model<User>;
  private readonly connection: Connection;
  private readonly transactions: Transactions;

  constructor(app: INestApplicationContext) {
    this.users = app.get(UsersService);
    this.model = app.get<Model<User>>(getModelToken(User.name), { strict: false });
    this.connection = app.get<Connection>(getConnectionToken());
    this.transactions = app.get(Transactions);
  }

  /**
   * Runs a command.
   * @returns what to print
   * @throws StartError for an unknown User or an invalid name; ApiError usernameTaken, emailTaken, lastAdmin
   */
  run({ name, username, email }: Command): Promise<string> {
    switch (name) {
      case 'list':
        return this.list();
      case 'create':
        return this.create(username, email);
      case 'reset-password':
        return this.resetPassword(username);
      case 'grant':
        return this.grant(username);
      case 'revoke':
        return this.revoke(username);
    }
  }

  private async list(): Promise<string> {
    const admins = await this.model.find({ roles: 'admin' }).sort({ _id: 1 }).lean();
    if (admins.length === 0) return 'There is no Admin.';
    return admins.map(({ username, email }) => `${username}  ${email}`).join('\n');
  }

  private async create(username: string, email: string): Promise<string> {
    const password = newPassword();
    const fields = { username, email, companyName: COMPANY, password, roles: ['admin'] };
    const { value, fieldErrors } = validateFields(CreateUserInput, fields);
    const [invalid] = fieldErrors;
    if (invalid) throw new StartError(`The ${invalid.title} ${invalid.detail}.`);
    // The service may never have started on this database.
    await buildUniqueIndexes(this.connection, Object.values(this.connection.models)).catch((cause: unknown) => {
      throw new StartError(`No User can be created: ${messageOf(cause)}.`, { cause });
    });
    await this.transactions.run(() => this.users.create(OPERATOR, value));
    return `${value.username} is an Admin. Password, shown only once: ${password}`;
  }

  private async resetPassword(name: string): Promise<string> {
    const password = newPassword();
    const { username } = await this.update(name, { password });
    return `All sessions of ${username} have ended. New password, shown only once: ${password}`;
  }

  private async grant(name: string): Promise<string> {
    const { username } = await this.update(name, { roles: ['admin'] });
    return `${username} is an Admin.`;
  }

  private async revoke(name: string): Promise<string> {
    const { username } = await this.update(name, { roles: [] });
    return `${username} is not an Admin.`;
  }

  private update(username: string, change: Partial<UpdateUserInput>): Promise<UserRecord> {
    return this.transactions.run(async () => {
      const user = await this.users.find({ username });
      if (!user) throw new StartError(`No User has the username "${username}".`);
      return this.users.update(OPERATOR, user, new Precondition(undefined), change as UpdateUserInput, 'command line');
    });
  }
}

function newPassword(): string {
  return randomBytes(18).toString('base64url');
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { apiError } from '../errors/api-error';
import { AdminGuard, User } from './user.schema';

/** The id of the one document. */
const GUARD = 'admins';

/** Keeps at least one Admin, also when two Admins revoke each other's role at the same time (docs/adr/0014). */
@Injectable()
export class Admins {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(AdminGuard.name) private readonly guards: Model<AdminGuard>,
  ) {}

  /** Whether anyone has the role. */
  async exist(): Promise<boolean> {
    return (await this.users.exists({ roles: 'admin' })) !== null;
  }

  /** The username of the oldest Admin. There is one once the service is ready. */
  async firstUsername(): Promise<string> {
    return (await this.users.findOne({ roles: 'admin' }, 'username').sort({ _id: 1 }).orFail().lean()).username;
  }

  /**
   * To be called inside every transaction that grants or revokes the role, or deletes an Admin, after it has done so. It
   * writes the one guard document, so two such transactions cannot both commit unseen by each other.
   *
   * @throws ApiError lastAdmin when it was the last Admin
   */
  async requireOne(): Promise<void> {
    await this.guards.updateOne({ _id: GUARD }, { $inc: { changes: 1 } }, { upsert: true });
    if (!(await this.exist())) throw apiError('lastAdmin');
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { apiError } from '../errors/api-error';
import { AdminGuard, User, UserRecord } from './user.schema';

/** The id of the one document. */
const GUARD = 'admins';

/** Keeps at least one Admin, also when two Admins revoke each other's role at the same time (docs/adr/0014). */
@Injectable()
export class Admins {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    // A Model, because the guard is no record: it has no revision, and `requireOne` alone writes it.
    @InjectModel(AdminGuard.name) private readonly guards: Model<AdminGuard>,
  ) {}

  /** Tells if anyone has the role. */
  exist(): Promise<boolean> {
    return this.users.exists({ roles: 'admin' });
  }

  /** The username of the oldest Admin. There is one once the service is ready. */
  async firstUsername(): Promise<string> {
    const { records } = await this.users.page({ skip: 0, limit: 1 }, { roles: 'admin' });
    return records[0]!.username;
  }

  /**
   * To be called in every transaction that grants or revokes the role, or deletes an Admin, after it has done so: it
   * writes the one guard document, so two of them cannot both commit. @throws ApiError lastAdmin
   */
  async requireOne(): Promise<void> {
    await this.guards.updateOne({ _id: GUARD }, { $inc: { changes: 1 } }, { upsert: true });
    if (!(await this.exist())) throw apiError('lastAdmin');
  }
}

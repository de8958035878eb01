import { Injectable } from '@nestjs/common';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import { AdminGuard, User, UserRecord } from './user.schema';

/** The id of the one document. */
const GUARD = 'admins';

/** Keeps at least one Admin, also when two Admins revoke each other's role at the same time (ADR 14). */
@Injectable()
export class Admins {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    @InjectRecords(AdminGuard.name) private readonly guards: Pick<Records<never>, 'updateInternal'>,
  ) {}

  /** Tells if there is an Admin. */
  async exist(): Promise<boolean> {
    return (await this.find()).length > 0;
  }

  /** The username of the oldest Admin. There is one once the service is ready. */
  async firstUsername(): Promise<string> {
    const [first] = (await this.find()).sort((a, b) => String(a._id).localeCompare(String(b._id)));
    return first!.username;
  }

  /**
   * To be called in every transaction that grants or revokes the role, or suspends or deletes an Admin, after it has
   * done so: it writes the one guard document, so two of them cannot both commit. @throws ApiError lastAdmin
   */
  async requireOne(): Promise<void> {
    await this.guards.updateInternal({ _id: GUARD }, { $inc: { changes: 1 } }, { upsert: true });
    if (!(await this.exist())) throw apiError('lastAdmin');
  }

  /** The Users with the role who are not suspended. The index has only one of the two. */
  private async find(): Promise<Pick<UserRecord, '_id' | 'username' | 'isSuspended'>[]> {
    const fields = { only: ['username', 'isSuspended'] };
    const users = await this.users.find({ roles: 'admin' }, fields);
    return users.filter(({ isSuspended }) => !isSuspended);
  }
}

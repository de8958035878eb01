import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import type { Change } from '../auth/change';
import { Transactions } from '../database/transactions';
import { File } from '../files/file.schema';
import { apiError } from '../errors/api-error';
import { Organization } from '../organizations/organization.schema';
import { Admins } from './admins';
import type { UserRecord } from './user.dto';
import { User } from './user.schema';

/** How many Organizations the message of a 409 names at most. */
const NAMED = 10;

/** DELETE /users/:id. */
@Injectable()
export class UserDeletionService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(File.name) private readonly files: Model<File>,
    private readonly transactions: Transactions,
    private readonly admins: Admins,
  ) {}

  /**
   * Deletes a User, their sessions, their unattached Files, and their places among the managers of Organizations, in one
   * transaction. A File that is a logo stays with its Organization.
   *
   * @throws Failure preconditionFailed, lastAdmin, lastManager (which names the Organizations), concurrentChange
   */
  async remove(user: Change<UserRecord>): Promise<void> {
    await user.write((record) => {
      user.requireMatch();
      return this.transactions.attempt(async () => {
        if (record.roles.includes('admin') && !(await this.admins.remove(record._id))) return undefined;
        await this.leaveOrganizations(record._id);
        await this.files.deleteMany({ createdBy: record._id, organizationId: null });
        const deleted = await this.users.deleteOne({ _id: record._id, revision: record.revision });
        return deleted.deletedCount === 1 || undefined;
      });
    });
  }

  private async leaveOrganizations(userId: Types.ObjectId): Promise<void> {
    const managed = { 'managers._id': userId };
    const managing = await this.organizations
      .find(managed, { name: 1, 'managers._id': 1 })
      .lean<Pick<Organization, 'name' | 'managers'>[]>();
    const names = managing.filter(({ managers }) => managers.length === 1).map(({ name }) => name);
    if (names.length > 0) throw apiError('lastManager', lastManagerOf(names));
    if (managing.length === 0) return;
    const change = { $pull: { managers: { _id: userId } }, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
    await this.organizations.updateMany(managed, change);
  }
}

function lastManagerOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `The User is the last Manager of: ${names.slice(0, NAMED).join(', ')}${more}.`;
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import { apiError } from '../errors/api-error';
import { AdminList } from './user.schema';

/** The id of the one document. */
const LIST = 'admins';

/**
 * Who the Admins are. Granting, taking and deleting an Admin all write the one list, inside the transaction that
 * changes the User, so that two Admins cannot take each other's role at once and leave none (write skew).
 */
@Injectable()
export class Admins {
  constructor(@InjectModel(AdminList.name) private readonly lists: Model<AdminList>) {}

  /** Whether there is an Admin. */
  async exist(): Promise<boolean> {
    return (await this.lists.exists({ _id: LIST, 'userIds.0': { $exists: true } })) !== null;
  }

  /**
   * Adds a User to the Admins. To be run inside the transaction that grants the role.
   *
   * @returns true: one who is an Admin already stays one
   */
  async add(userId: Types.ObjectId): Promise<boolean> {
    await this.lists.updateOne({ _id: LIST }, { $addToSet: { userIds: userId } }, { upsert: true });
    return true;
  }

  /**
   * Takes a User out of the Admins. To be run inside the transaction that takes the role or deletes the User.
   *
   * @returns false when the User is no Admin any more: what was judged is out of date
   * @throws Failure lastAdmin
   */
  async remove(userId: Types.ObjectId): Promise<boolean> {
    const taken = await this.lists.updateOne(
      { _id: LIST, userIds: userId, 'userIds.1': { $exists: true } },
      { $pull: { userIds: userId } },
    );
    if (taken.matchedCount === 1) return true;
    if (await this.lists.exists({ _id: LIST, userIds: userId })) throw apiError('lastAdmin');
    return false;
  }
}

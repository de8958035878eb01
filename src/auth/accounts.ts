import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import { Loader } from '../database/loader';
import { isLive } from '../users/session.schema';
import { User } from '../users/user.schema';
import type { Account } from './account';

/** Finds the account behind an access token: one indexed read gives user, roles and session. */
@Injectable()
export class Accounts {
  private readonly loader: Loader<User>;

  constructor(@InjectModel(User.name) users: Model<User>) {
    this.loader = new Loader(users, { roles: 1, 'sessions._id': 1, 'sessions.expiresAt': 1 });
  }

  /**
   * The account, as it is now: a logout, a deletion, a taken role works on the very next request.
   *
   * @param userId 24 hexadecimal digits
   * @param sessionId 24 hexadecimal digits
   * @returns undefined when the user or the session is gone
   */
  async find(userId: string, sessionId: string): Promise<Account | undefined> {
    const user = await this.loader.load(userId);
    const session = user?.sessions.find((one) => one._id.equals(sessionId) && isLive(one));
    return user && session && { _id: user._id, isAdmin: user.roles.includes('admin'), sessionId: session._id };
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { AccessTokenClaims } from '../auth/access-tokens';
import { Account, AccountLoader } from '../auth/account';
import { BatchReader } from '../database/batch-reader';
import { isLive } from './session.schema';
import { User } from './user.schema';

/** Loads the account of an access token: one indexed read returns user, roles and session. */
@Injectable()
export class UserAccounts extends AccountLoader {
  private readonly reader: BatchReader<Pick<User, '_id' | 'roles' | 'sessions'>>;

  constructor(@InjectModel(User.name) users: Model<User>) {
    super();
    const projection = { roles: 1, 'sessions._id': 1, 'sessions.expiresAt': 1 };
    this.reader = new BatchReader(users, projection);
  }

  async load({ sub, sid }: AccessTokenClaims): Promise<Account | undefined> {
    const user = await this.reader.find(sub);
    const session = user?.sessions.find((one) => one._id.equals(sid) && isLive(one));
    return user && session && { _id: user._id, isAdmin: user.roles.includes('admin'), sessionId: session._id };
  }
}

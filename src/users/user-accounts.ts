import { Injectable } from '@nestjs/common';
import type { AccessTokenClaims } from '../auth/access-tokens';
import { Account, AccountLoader } from '../auth/account';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { apiError } from '../errors/api-error';
import { isLive, type Session } from './session.schema';
import { User, UserRecord } from './user.schema';

const FIELDS = { only: ['username', 'roles', 'isSuspended', 'sessions._id', 'sessions.expiresAt'] } as const;

/** Loads the account of an access token: one indexed read returns user, roles and session. */
@Injectable()
export class UserAccounts extends AccountLoader {
  constructor(@InjectRecords(User.name) private readonly users: Records<UserRecord>) {
    super();
  }

  /** @throws ApiError suspended */
  async load({ sub, sid }: AccessTokenClaims): Promise<Account | undefined> {
    const user = await this.users.get<{ sessions: Pick<Session, '_id' | 'expiresAt'>[] }>(sub, FIELDS);
    const session = user?.sessions.find((one) => one._id.equals(sid) && isLive(one));
    if (!user || !session) return undefined;
    if (user.isSuspended) throw apiError('suspended');
    const { _id, username, roles } = user;
    return { _id, username, isAdmin: roles.includes('admin'), sessionId: session._id };
  }
}

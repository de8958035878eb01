import { Injectable } from '@nestjs/common';
import type { AccessTokenClaims } from '../auth/access-tokens';
import { Account, AccountLoader } from '../auth/account';
import { BoundedMap } from '../auth/bounded-map';
import type { ApiKeyClaims, Claims } from '../auth/credentials';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { apiError } from '../errors/api-error';
import { isExpired } from './api-key.schema';
import { isLive, type Session } from './session.schema';
import { User, UserRecord } from './user.schema';

const KEY_FIELDS = ['_id', 'hash', 'scope', 'expiresAt'].map((name) => `apiKeys.${name}`);
const WITH_KEYS = { only: ['username', 'roles', 'isSuspended', ...KEY_FIELDS] } as const;
const WITH_SESSIONS = { only: ['username', 'roles', 'isSuspended', 'sessions._id', 'sessions.expiresAt'] } as const;

/** The most API keys whose User is remembered; those of others are looked up again. */
const MAX_REMEMBERED = 10_000;

/** Loads the account of a credential: one indexed read returns user, roles and session or key. */
@Injectable()
export class UserAccounts extends AccountLoader {
  /** The ids of Users by the hash of their key, which never changes its User. */
  private readonly owners = new BoundedMap<string>(MAX_REMEMBERED);

  constructor(@InjectRecords(User.name) private readonly users: Records<UserRecord>) {
    super();
  }

  load(claims: Claims): Promise<Account | undefined> {
    return 'keyHash' in claims ? this.ofApiKey(claims) : this.ofSession(claims);
  }

  private async ofSession({ sub, sid }: AccessTokenClaims): Promise<Account | undefined> {
    const user = await this.users.get<{ sessions: Pick<Session, '_id' | 'expiresAt'>[] }>(sub, WITH_SESSIONS);
    const session = user?.sessions.find((one) => one._id.equals(sid) && isLive(one));
    if (!user || !session) return undefined;
    if (user.isSuspended) throw apiError('suspended');
    const { _id, username, roles } = user;
    return { _id, username, isAdmin: roles.includes('admin'), sessionId: session._id };
  }

  private async ofApiKey({ keyHash }: ApiKeyClaims): Promise<Account> {
    const id = this.owners.get(keyHash) ?? (await this.findOwner(keyHash));
    const user = id === undefined ? undefined : await this.users.get<Pick<User, 'apiKeys'>>(id, WITH_KEYS);
    const key = user?.apiKeys?.find(({ hash }) => hash === keyHash);
    if (!user || !key) {
      this.owners.delete(keyHash);
      throw apiError('tokenUnusable');
    }
    if (isExpired(key)) throw apiError('tokenUnusable', `This API key expired on ${key.expiresAt!.slice(0, 10)}.`);
    if (user.isSuspended) throw apiError('suspended');
    const { _id, username, roles } = user;
    return { _id, username, isAdmin: roles.includes('admin'), apiKeyId: key._id, apiKeyScope: key.scope };
  }

  private async findOwner(keyHash: string): Promise<string | undefined> {
    const user = await this.users.findByListed('apiKeys.hash', keyHash);
    if (user) this.owners.set(keyHash, String(user._id));
    return user && String(user._id);
  }
}

import { Injectable } from '@nestjs/common';
import type { AccessTokenClaims } from '../auth/access-tokens';
import { Account, AccountLoader } from '../auth/account';
import { BoundedMap } from '../auth/bounded-map';
import type { ApiKeyClaims, Claims, OidcClaims } from '../auth/credentials';
import { logSecurity } from '../auth/security-events';
import { Records } from '../database/records';
import { InjectRecords } from '../database/records.module';
import { apiError } from '../errors/api-error';
import { isExpired } from './api-key.schema';
import { isLive, type Session } from './session.schema';
import { User, UserRecord } from './user.schema';

const KEY_FIELDS = ['_id', 'hash', 'scope', 'expiresAt'].map((name) => `apiKeys.${name}`);
const WITH_KEYS = { only: ['username', 'roles', 'isSuspended', ...KEY_FIELDS] } as const;
const WITH_EXTERNAL_ID = { only: ['username', 'roles', 'isSuspended', 'externalId'] } as const;
const WITH_SESSIONS = { only: ['username', 'roles', 'isSuspended', 'sessions._id', 'sessions.expiresAt'] } as const;

/** The most API keys, and the most external ids, whose User is remembered; those of others are looked up again. */
const MAX_REMEMBERED = 10_000;

/** Loads the account of a credential: one indexed read returns user, roles and session or key. */
@Injectable()
export class UserAccounts extends AccountLoader {
  /** The ids of Users by the hash of their key, which never changes its User. */
  private readonly owners = new BoundedMap<string>(MAX_REMEMBERED);

  /** The ids of Users by external id, for reads by id, of which many go out as one. */
  private readonly identities = new BoundedMap<string>(MAX_REMEMBERED);

  constructor(@InjectRecords(User.name) private readonly users: Records<UserRecord>) {
    super();
  }

  load(claims: Claims): Promise<Account | undefined> {
    if ('keyHash' in claims) return this.ofApiKey(claims);
    return 'subject' in claims ? this.ofIdentity(claims) : this.ofSession(claims);
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

  private async ofIdentity({ subject }: OidcClaims): Promise<Account> {
    const known = this.identities.get(subject);
    let user = known === undefined ? undefined : await this.users.get(known, WITH_EXTERNAL_ID);
    // An Admin may have given the external id to another User since.
    if (user?.externalId !== subject) user = await this.users.findUnique('externalId', subject, WITH_EXTERNAL_ID);
    if (!user) {
      this.identities.delete(subject);
      logSecurity('identityUnknown', { subject });
      throw apiError('noAccount', `This identity has no account; an Admin can set its externalId to "${subject}".`);
    }
    if (user.isSuspended) throw apiError('suspended');
    const { _id, username, roles } = user;
    this.identities.set(subject, String(_id));
    return { _id, username, isAdmin: roles.includes('admin') };
  }

  private async findOwner(keyHash: string): Promise<string | undefined> {
    const user = await this.users.findByListed('apiKeys.hash', keyHash);
    if (user) this.owners.set(keyHash, String(user._id));
    return user && String(user._id);
  }
}

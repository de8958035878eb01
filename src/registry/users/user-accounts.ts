import { Injectable } from '@nestjs/common';
import type { AccessTokenClaims } from '../../platform/http/access/access-tokens';
import {
  type Account,
  AccountLoader,
  type ApiKeyClaims,
  type Claims,
  type OidcClaims,
} from '../../platform/http/access/account';
import { BoundedMap } from '../../platform/base/bounded-map';
import { logSecurity } from '../../platform/http/access/security-events';
import { InjectRecords, Records } from '../../platform/records/records';
import { type ApiError, apiError } from '../../platform/base/errors/api-error';
import { Settings } from '../../platform/base/settings/settings';
import { isFuture } from '../../platform/http/fields/date-field';
import type { ApiKey } from './api-key.schema';
import { isLive, type Session } from './session.schema';
import { User, UserRecord } from './user.schema';

/** The fields of an account, and these. */
const withFields = (...fields: string[]) => ({ only: ['username', 'roles', 'isSuspended', ...fields] });

const WITH_SESSIONS = withFields('sessions._id', 'sessions.expiresAt');
const WITH_KEYS = withFields(...['_id', 'hash', 'scope', 'expiresAt', 'lastUsedAt'].map((name) => `apiKeys.${name}`));

const MINUTE_MS = 60_000;
const WITH_EXTERNAL_ID = withFields('externalId');

/** The most API keys and external ids whose User is remembered; those of others are looked up again. */
const MAX_REMEMBERED = 20_000;

/** Loads the account of a credential: one indexed read returns user, roles and session or key. */
@Injectable()
export class UserAccounts extends AccountLoader {
  /** The ids of Users by the hash of an API key, or by external id. */
  private readonly known = new BoundedMap<string>(MAX_REMEMBERED);

  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly settings: Settings,
  ) {
    super();
  }

  load(claims: Claims): Promise<Account | undefined> {
    if ('keyHash' in claims) return this.ofApiKey(claims);
    return 'subject' in claims ? this.ofIdentity(claims) : this.ofSession(claims);
  }

  refusal(claims: Claims): ApiError {
    if (!('subject' in claims)) return apiError('accountGone');
    const { subject } = claims;
    logSecurity('identityUnknown', { subject });
    const creates = this.settings.oidcCreateUsers ? 'POST /users without a body creates it, or ' : '';
    return apiError(
      'noAccount',
      `This identity has no account; ${creates}an Admin can set its externalId to "${subject}".`,
    );
  }

  private async ofSession({ sub, sid }: AccessTokenClaims): Promise<Account | undefined> {
    const user = await this.users.get<{ sessions: Pick<Session, '_id' | 'expiresAt'>[] }>(sub, WITH_SESSIONS);
    const session = user?.sessions.find((one) => one._id.equals(sid) && isLive(one));
    return user && session && accountOf(user, { sessionId: session._id });
  }

  private async ofApiKey({ keyHash }: ApiKeyClaims): Promise<Account> {
    const keyOf = ({ apiKeys }: Pick<User, 'apiKeys'>) => apiKeys?.find(({ hash }) => hash === keyHash);
    const user = await this.find<Pick<User, 'apiKeys'>>('apiKeys.hash', keyHash, WITH_KEYS, keyOf);
    const key = user && keyOf(user);
    if (!user || !key) throw apiError('tokenUnusable');
    const { _id: apiKeyId, scope: apiKeyScope, expiresAt } = key;
    if (expiresAt !== null && !isFuture(expiresAt))
      throw apiError('tokenUnusable', `This API key expired on ${expiresAt.slice(0, 10)}.`);
    const account = accountOf(user, { apiKeyId, apiKeyScope });
    this.noteUse(account._id, key);
    return account;
  }

  /** Stores when a key was last used, to the minute, without delaying a request or failing one: the next tries again. */
  private noteUse(_id: Account['_id'], { _id: apiKeyId, lastUsedAt }: ApiKey): void {
    const minute = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
    if (lastUsedAt && lastUsedAt >= minute) return;
    const options = { arrayFilters: [{ 'used._id': apiKeyId }] };
    const use = { $set: { 'apiKeys.$[used].lastUsedAt': minute } };
    this.users.updateInternal({ _id }, use, options).catch(() => undefined);
  }

  private async ofIdentity({ subject, authTime }: OidcClaims): Promise<Account | undefined> {
    const isTheirs = ({ externalId }: UserRecord): boolean => externalId === subject;
    const user = await this.find('externalId', subject, WITH_EXTERNAL_ID, isTheirs);
    return user && accountOf(user, { authTime });
  }

  /** The User with this unique value. Their id is remembered for reads by id, of which many go out as one. */
  private async find<Also = unknown>(
    name: string,
    value: string,
    fields: typeof WITH_KEYS,
    has: (user: UserRecord & Also) => unknown,
  ): Promise<(UserRecord & Also) | undefined> {
    const id = this.known.get(value);
    let user = id === undefined ? undefined : await this.users.get<Also>(id, fields);
    // It may be another User's by now, or nobody's.
    if (!user || !has(user)) user = await this.users.findUnique<Also>(name, value, fields);
    if (user) this.known.set(value, String(user._id));
    else this.known.delete(value);
    return user;
  }
}

/** The account of a User. @throws ApiError suspended */
export function accountOf({ _id, username, roles, isSuspended }: UserRecord, credential?: Partial<Account>): Account {
  if (isSuspended) throw apiError('suspended');
  return { _id, username, isAdmin: roles.includes('admin'), ...credential };
}

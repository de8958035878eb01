import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { hashOfToken, newApiKey } from '../../platform/http/access/api-key';
import { logSecurity } from '../../platform/http/access/security-events';
import { InjectRecords, Records } from '../../platform/records/records';
import { beforeTransaction, outsideTransaction } from '../../platform/records/transactions/context';
import { apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { type Page, pageById } from '../../platform/records/reads/page';
import type { ApiKey } from '../users/api-key.schema';
import { PasswordCheck } from '../users/password-check';
import { User, type UserRecord } from '../users/user.schema';
import { userGone } from '../users/user-access';
import { UsersService } from '../users/users.service';
import type { PageQueryDto } from '../../platform/http/query/page-query.dto';
import type { ApiKeyInput, ApiKeyRecord, CreatedApiKey } from './api-key.dto';

type Owner = UserRecord & Pick<User, 'apiKeys'>;

/** How long ago a caller without a password may have logged in, and the longest life of a key that they create (ms). */
const LOGIN_AGE_MS = 60 * 60 * 1000;
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const LOGIN_AGAIN =
  'Only a caller who logged in within the last hour may create an API key without a password: log in again.';
const WITHIN_LIFETIME = 'be within 30 days, because you have no password';

/** A key that a path names, and whose it is. */
export interface LoadedApiKey {
  readonly user: UserRecord;
  readonly apiKey: ApiKeyRecord;
}

/** `/users/:id/api-keys` (contract §4). Keys are embedded in their User and never change its `revision`. */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<Owner>,
    private readonly usersService: UsersService,
    private readonly passwordCheck: PasswordCheck,
  ) {}

  @Loads('api-keys/:keyId', { description: 'The API key', notFound: 'apiKeyNotFound' })
  async load(id: string, { record }: LoadedResource): Promise<LoadedResource | undefined> {
    const user = record as UserRecord;
    const owner = await this.users.get(user._id, { only: ['apiKeys'] });
    const apiKey = owner?.apiKeys?.find(({ _id }) => _id.equals(id));
    return apiKey && { record: { user, apiKey } };
  }

  /** The keys of a User, ordered by `_id`. @throws ApiError accountGone, userNotFound */
  async list(user: UserRecord, query: PageQueryDto): Promise<Page<ApiKeyRecord>> {
    const { apiKeys = [] } = await this.ownerOf(user);
    return pageById(apiKeys, query);
  }

  async create(caller: Account, user: UserRecord, body: ApiKeyInput): Promise<CreatedApiKey> {
    const { currentPassword, ...fields } = body;
    await this.checkCaller(caller, body);
    const owner = await this.ownerOf(user);
    const key = newApiKey();
    const own = { _id: new Types.ObjectId(), hint: key.slice(-4), hash: hashOfToken(key), lastUsedAt: null };
    const apiKey: ApiKey = { ...fields, ...own, createdAt: new Date(), createdBy: caller._id };
    await this.users.embed(owner, 'apiKeys', apiKey);
    logSecurity('apiKeyCreated', { userId: String(user._id), apiKeyId: String(apiKey._id), scope: apiKey.scope });
    return { ...apiKey, key };
  }

  /** Deletes a key. @throws ApiError apiKeyNotFound when it was deleted since the request was authorized */
  async remove({ user, apiKey }: LoadedApiKey): Promise<void> {
    const owner = await this.ownerOf(user);
    if (!owner.apiKeys?.some(({ _id }) => _id.equals(apiKey._id))) throw apiError('apiKeyNotFound');
    await this.users.removeEmbedded(owner, 'apiKeys', apiKey);
    logSecurity('apiKeyDeleted', { userId: String(user._id), apiKeyId: String(apiKey._id) });
  }

  /**
   * Checks the caller's own password, of which a wrong one counts as a failed login; without one, that they logged in
   * lately and that the key expires (contract §11).
   */
  private async checkCaller({ _id, authTime }: Account, { currentPassword, expiresAt }: ApiKeyInput): Promise<void> {
    const user = await outsideTransaction(() => this.usersService.find({ _id: _id.toHexString() }));
    if (!user) throw apiError('accountGone');
    const { username, passwordHash } = user;
    if (passwordHash === null) return checkWithoutPassword(authTime, expiresAt);
    if (currentPassword === undefined) throw invalidContent(fieldError('missing', 'currentPassword'));
    const isRight = await beforeTransaction(`check against ${passwordHash}`, () =>
      this.passwordCheck.isRight(currentPassword, { username }, user),
    );
    if (!isRight) throw invalidContent(fieldError('wrongCurrentPassword', 'currentPassword'));
  }

  /** @throws ApiError accountGone, userNotFound when they were deleted since the request was authorized */
  private async ownerOf({ _id }: UserRecord): Promise<Owner> {
    const owner = await this.users.get(_id, { also: ['apiKeys'] });
    if (!owner) throw userGone(_id);
    return owner;
  }
}

/** Bounds what a stolen token of the identity provider can make: its holder knows no password. */
function checkWithoutPassword(authTime: unknown, expiresAt: string | null): void {
  const now = Date.now();
  // Providers leave `auth_time` out, or null, where nobody logs in: for programs.
  const isRecent = typeof authTime === 'number' && Math.abs(now - authTime * 1000) <= LOGIN_AGE_MS;
  if (!isRecent && authTime !== undefined && authTime !== null) throw apiError('forbidden', LOGIN_AGAIN);
  if (expiresAt === null)
    throw invalidContent(fieldError('missing', 'expiresAt', `is required and must ${WITHIN_LIFETIME}`));
  if (Date.parse(expiresAt) > now + LIFETIME_MS)
    throw invalidContent(fieldError('outOfRange', 'expiresAt', `must ${WITHIN_LIFETIME}`));
}

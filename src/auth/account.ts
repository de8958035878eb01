import type { Types } from 'mongoose';
import type { ApiKeyScope } from './api-key';
import type { Claims } from './credentials';

/** The account that sends a request. */
export interface Account {
  readonly _id: Types.ObjectId;
  readonly username: string;
  readonly isAdmin: boolean;
  /** The session of the access token; none if the caller uses an API key or a token of the identity provider. */
  readonly sessionId?: Types.ObjectId;
  readonly apiKeyId?: Types.ObjectId;
  readonly apiKeyScope?: ApiKeyScope;
}

/** Loads accounts; the users module provides it. */
export abstract class AccountLoader {
  /**
   * The account as it is now, so a logout, a deleted key or a revoked role takes effect at once. @returns undefined when it is gone
   * @throws ApiError suspended; tokenUnusable for an API key that does not exist or has expired; noAccount for an identity
   */
  abstract load(claims: Claims): Promise<Account | undefined>;
}

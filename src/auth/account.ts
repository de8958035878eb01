import type { Types } from 'mongoose';
import type { AccessTokenClaims } from './access-tokens';

/** The account that sends a request. */
export interface Account {
  readonly _id: Types.ObjectId;
  readonly username: string;
  readonly isAdmin: boolean;
  /** The session of the access token. */
  readonly sessionId: Types.ObjectId;
}

/** Loads accounts; the users module provides it. */
export abstract class AccountLoader {
  /**
   * The account as it is now, so a logout or a revoked role takes effect at once. @returns undefined when it is gone
   * @throws ApiError suspended
   */
  abstract load(claims: AccessTokenClaims): Promise<Account | undefined>;
}

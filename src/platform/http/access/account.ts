import type { JWTPayload } from 'jose';
import type { Types } from 'mongoose';
import type { ApiError } from '../../base/errors/api-error';
import type { AccessTokenClaims } from './access-tokens';
import type { ApiKeyScope } from './api-key';

/** The account that sends a request. */
export interface Account {
  readonly _id: Types.ObjectId;
  readonly username: string;
  readonly isAdmin: boolean;
  /** The session of the access token; none if the caller uses an API key or a token of the identity provider. */
  readonly sessionId?: Types.ObjectId;
  readonly apiKeyId?: Types.ObjectId;
  readonly apiKeyScope?: ApiKeyScope;
  /** `auth_time` of the token of the identity provider, as it was sent: when the caller logged in there (s since 1970). */
  readonly authTime?: unknown;
}

/** The claims of an API key that has the right form: only the database knows more. */
export interface ApiKeyClaims {
  readonly keyHash: string;
}

/** The claims of a token of the identity provider: its subject, when it expires, and when they logged in. */
export interface OidcClaims extends Pick<Account, 'authTime'> {
  readonly subject: string;
  readonly exp: number;
  /** All claims of the token. The provider vouches for them, but nobody has checked the types of their values. */
  readonly payload: JWTPayload;
}

/** What is verified of a credential. The account behind it is loaded for every request. */
export type Claims = AccessTokenClaims | ApiKeyClaims | OidcClaims;

/** Loads accounts; the users module provides it. */
export abstract class AccountLoader {
  /**
   * The current account, so a logout, a deleted key or a revoked role takes effect immediately.
   * @returns undefined when it does not exist any more, or an identity has none
   * @throws ApiError suspended; tokenUnusable for an API key that does not exist or has expired
   */
  abstract load(claims: Claims): Promise<Account | undefined>;

  /** Why a valid credential has no account: accountGone, or noAccount for an identity. */
  abstract refusal(claims: Claims): ApiError;
}

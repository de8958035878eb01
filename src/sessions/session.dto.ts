import { PresentedSecret } from '../validation/fields/password-fields';
import { ExactlyOneOf } from '../validation/fields/related-fields';
import { Text } from '../validation/fields/text-fields';
import { AccessToken } from '../auth/access-tokens';
import { UserRecord, toUser, UserDto } from '../users/user.dto';
import { Session } from '../users/session.schema';

/** A login: a username or an e-mail address, and the password. */
@ExactlyOneOf('username', 'email')
export class LoginInput {
  /** @example "admin" */
  @Text({ max: 254, optional: true })
  username?: string;

  /** Instead of the username. */
  @Text({ max: 254, optional: true })
  email?: string;

  /** @example "a long-winded passphrase" */
  @PresentedSecret()
  password!: string;
}

/** A refresh token that is due. */
export class RefreshInput {
  /**
   * What the login or the last refresh gave.
   * @example "the refreshToken of the last answer"
   */
  @PresentedSecret({ max: 4096 })
  refreshToken!: string;
}

/** A login that is in force. */
export class SessionDto {
  /** @example "65f5f0a2c3d4e5f60718293b" */
  _id!: string;
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
  /** When it was made or refreshed last. @example "2026-03-16T19:07:54.575Z" */
  lastUsedAt!: string;
  /** When it ends unless it is refreshed before. @example "2026-04-15T19:07:54.575Z" */
  expiresAt!: string;
  /** What the client called itself when it logged in. @example "curl/8.10.1" */
  userAgent!: string | null;
}

/** Tokens: the access token to send with requests, the refresh token to get the next pair with. */
export class TokensDto implements AccessToken {
  /** To be sent as `Authorization: Bearer <accessToken>`. */
  accessToken!: string;
  tokenType!: 'Bearer';
  /** The life of the access token in seconds. @example 900 */
  expiresIn!: number;
  /** Good for one use. */
  refreshToken!: string;
}

/** A new login, with its tokens. */
export class NewSessionDto extends SessionDto implements TokensDto {
  /** To be sent as `Authorization: Bearer <accessToken>`. */
  accessToken!: string;
  tokenType!: 'Bearer';
  /** The life of the access token in seconds. @example 900 */
  expiresIn!: number;
  /** Good for one use. */
  refreshToken!: string;
  user!: UserDto;
}

/** A session as an answer shows it. */
export function toSession(session: SessionRecord): SessionDto {
  return {
    _id: session._id.toHexString(),
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    userAgent: session.userAgent,
  };
}

/** A new session as its login shows it. */
export function toNewSession({ session, tokens, user }: NewSession): NewSessionDto {
  return { ...toSession(session), ...tokens, user: toUser(user) };
}

/** A session without the hashes of its refresh tokens: what `toSession` shows. */
export type SessionRecord = Pick<Session, '_id' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'userAgent'>;

/** What a login makes. Its tokens are shown this once: of the refresh token only a hash is stored. */
export interface NewSession {
  session: SessionRecord;
  tokens: TokensDto;
  user: UserRecord;
}

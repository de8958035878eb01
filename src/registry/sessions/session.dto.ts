import { PresentedSecret } from '../../platform/http/fields/password-fields';
import { ExactlyOneOf } from '../../platform/http/fields/related-fields';
import { Text } from '../../platform/http/fields/text-fields';
import { AccessToken } from '../../platform/http/access/access-tokens';
import { ResponseField } from '../../platform/http/responses/response-fields';
import type { Session } from '../users/session.schema';
import { UserDto } from '../users/user.dto';
import type { UserRecord } from '../users/user.schema';

/** A login: a username or an e-mail address, and the password. */
@ExactlyOneOf('username', 'email')
export class LoginInput {
  /** @example "admin" */
  @Text({ max: 254, optional: true }) username?: string;
  /** Instead of the username. */
  @Text({ max: 254, optional: true }) email?: string;
  /** @example "a long-winded passphrase" */
  @PresentedSecret() password!: string;
}

/** The current refresh token of a session. */
export class RefreshInput {
  /** From the login or the last refresh. @example "the refreshToken of the last response" */
  @PresentedSecret({ max: 4096 }) refreshToken!: string;
}

/** A login of a User. */
export class SessionDto {
  /** The session's id. @example "65f5f0a2c3d4e5f60718293b" */
  @ResponseField('id') _id!: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When it was created or last refreshed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') lastUsedAt!: string;
  /** When it ends unless it is refreshed before. @example "2026-04-15T19:07:54.575Z" */
  @ResponseField('timestamp') expiresAt!: string;
  /** The User-Agent header of the login. @example "curl/8.10.1" */
  @ResponseField() userAgent!: string | null;
}

/** An access token to send with requests, and a refresh token to get the next pair with. */
export class TokensDto implements AccessToken {
  /** Send it as `Authorization: Bearer <accessToken>`. */
  @ResponseField() accessToken!: string;
  @ResponseField() tokenType!: 'Bearer';
  /** The lifetime of the access token in seconds. @example 900 */
  @ResponseField('integer') expiresIn!: number;
  /** Can be used once. */
  @ResponseField() refreshToken!: string;
}

/** A new login, with its tokens. */
export class CreatedSessionDto extends SessionDto implements TokensDto {
  /** Send it as `Authorization: Bearer <accessToken>`. */
  @ResponseField() accessToken!: string;
  @ResponseField() tokenType!: 'Bearer';
  /** The lifetime of the access token in seconds. @example 900 */
  @ResponseField('integer') expiresIn!: number;
  /** Can be used once. */
  @ResponseField() refreshToken!: string;
  @ResponseField(UserDto) user!: UserDto;
}

/** A session as responses show it, without the hashes of its refresh tokens. */
export type SessionRecord = Pick<Session, '_id' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'userAgent'>;

/** What a login creates. The tokens are shown this once: of the refresh token only a hash is stored. */
export type CreatedSession = SessionRecord & TokensDto & { user: UserRecord };

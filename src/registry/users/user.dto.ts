import { ListOf } from '../../platform/http/fields/list-fields';
import { Flag, OneOf } from '../../platform/http/fields/value-fields';
import { Password, PresentedSecret } from '../../platform/http/fields/password-fields';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { EmailAddress, ExternalId, Text, Username } from '../../platform/http/fields/text-fields';
import { type NamedEnum, ResponseField } from '../../platform/http/responses/response-fields';
import { SearchablePageQuery } from '../../platform/http/query/page-query.dto';
import { QueryIds } from '../../platform/http/query/query-fields';
import { type Role, ROLES, type UserRecord } from './user.schema';

const NAMED_ROLES: NamedEnum = { enum: ROLES, enumName: 'Role' };

class UserFields {
  /** The name to log in with, unique without regard to case. @example "ada" */
  @Username() username!: string;
  /** The company that the User works for. @example "Analytical Engines Ltd" */
  @Text({ max: 255, kind: 'name' }) companyName!: string;
  /** The e-mail address, also to log in with, unique without regard to case. @example "ada@engines.example" */
  @EmailAddress() email!: string;
}

/** A new User. */
@ReadOnlyFields('_id', 'etag', 'suspendedAt', 'createdAt', 'updatedAt')
export class CreateUserInput extends UserFields {
  /**
   * The password to log in with. No response contains it. Required unless an Admin creates the User, who sets it with a link
   * (`POST /users/{id}/password-links`), or logs in at the identity provider.
   * @example "a long-winded passphrase"
   */
  @Password({ optional: true }) password?: string;
  /** Only an Admin may set them. @example [] */
  @ListOf(NAMED_ROLES, { default: [] }) roles!: Role[];
  /** Only an Admin may set it. @example false */
  @Flag({ optional: true }) isSuspended?: boolean;
  /** The subject of the User's tokens of the identity provider, unique. Only an Admin may set it. @example null */
  @ExternalId() externalId?: string | null;
}

/** The new state of a User. Left out, `password`, `roles`, `isSuspended` and `externalId` keep their values. */
@ReadOnlyFields('_id', 'etag', 'suspendedAt', 'createdAt', 'updatedAt')
export class UpdateUserInput extends UserFields {
  /** A new password; left out, the password stays. It ends the User's other sessions; set by an Admin, all of them. */
  @Password({ optional: true }) password?: string;
  /** Your current password, required to change your own password, username or e-mail address. */
  @PresentedSecret({ optional: true }) currentPassword?: string;
  /** Only an Admin may change them. */
  @ListOf(NAMED_ROLES, { optional: true }) roles?: Role[];
  /** Whether the User is locked out. Only an Admin may change it; suspending ends all sessions of the User. */
  @Flag({ optional: true }) isSuspended?: boolean;
  /** The subject of the User's tokens of the identity provider, unique. Only an Admin may change it. */
  @ExternalId() externalId?: string | null;
}

/** Reads a field that others do not see: a `Person` lacks it, and the revision. */
const own =
  (read: (user: UserRecord) => unknown) =>
  (user: UserRecord): unknown =>
    user.revision === undefined ? undefined : read(user);

/** A person with an account. Callers who are not Admins see only `_id`, `username`, `companyName` and `createdAt` of others. */
export class UserDto {
  /** The User's id. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') _id!: string;
  /** @example "ada" */
  @ResponseField() username!: string;
  /** @example "Analytical Engines Ltd" */
  @ResponseField() companyName!: string;
  /** Only for yourself and Admins. @example "ada@engines.example" */
  @ResponseField('value', own(({ email }) => email)) email?: string;
  /** The User's roles. @example [] */
  @ResponseField(NAMED_ROLES, own(({ roles }) => roles)) roles?: Role[];
  /** Whether the User is locked out: every login and API key is refused. @example false */
  @ResponseField('value', own(({ isSuspended }) => isSuspended ?? false)) isSuspended?: boolean;
  /** When the User was suspended. @example null */
  @ResponseField('timestamp', own(({ suspendedAt }) => suspendedAt ?? null)) suspendedAt?: string | null;
  /** The subject of the User's tokens of the identity provider. @example null */
  @ResponseField('value', own(({ externalId }) => externalId ?? null)) externalId?: string | null;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When something that the record shows last changed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp', own(({ updatedAt }) => updatedAt)) updatedAt?: string;
}

/** The parameters of the list of Users. */
export class UserQuery extends SearchablePageQuery {
  /** Only these records: 1–100 ids, separated by commas, each once. `limit` is then 100 by default. */
  @QueryIds() id?: readonly string[];
  /** Only the User with this username, compared as for uniqueness. */
  @Username({ filter: true }) username?: string;
  /** Only the User with this e-mail address, compared as for uniqueness. Admins only. */
  @EmailAddress({ filter: true }) email?: string;
  /** Only Users with this role. Admins only. */
  @OneOf(ROLES, { filter: true }) role?: Role;
  /** Only Users who are suspended, or only those who are not. Admins only. */
  @Flag({ filter: true })
  isSuspended?: boolean;
}

import { ListOf } from '../validation/fields/value-fields';
import { Password, PresentedSecret } from '../validation/fields/password-fields';
import { RequiredWith } from '../validation/fields/related-fields';
import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { EmailAddress, Text, Username } from '../validation/fields/text-fields';
import { Role, ROLES, User } from './user.schema';

type Described = Pick<User, 'username' | 'companyName' | 'email'>;

/** What a User says of themselves. */
class UserDescription implements Described {
  /**
   * The name to log in with, unique without regard to case.
   * @example "ada"
   */
  @Username()
  username!: string;

  /**
   * The company that the User works for.
   * @example "Analytical Engines Ltd"
   */
  @Text({ max: 255, kind: 'name' })
  companyName!: string;

  /**
   * The e-mail address, also to log in with, unique without regard to case.
   * @example "ada@engines.example"
   */
  @EmailAddress()
  email!: string;
}

/** A new User. */
@ReadOnlyFields('_id', 'createdAt', 'updatedAt')
export class CreateUserInput extends UserDescription {
  /**
   * The password to log in with. It is never shown.
   * @example "a long-winded passphrase"
   */
  @Password()
  password!: string;

  /**
   * The roles, which only an Admin gives.
   * @example []
   */
  @ListOf(ROLES, { default: [] })
  roles!: Role[];
}

/** What a change of a User holds besides; a password that is left out stays. */
class UserChange extends UserDescription {
  /**
   * A new password. It ends the User's other sessions; set by an Admin, all of them.
   * @example "another long-winded passphrase"
   */
  @Password({ optional: true })
  password?: string;
}

/** Another User, changed by an Admin. Roles that are left out stay as they are. */
@ReadOnlyFields('_id', 'createdAt', 'updatedAt')
export class UpdateUserInput extends UserChange {
  /**
   * The present password, which changing one's own password asks for.
   * @example "a long-winded passphrase"
   */
  @PresentedSecret({ optional: true })
  currentPassword?: string;

  /**
   * The roles, which only an Admin changes.
   * @example []
   */
  @ListOf(ROLES, { optional: true })
  roles?: Role[];
}

/** One's own User, changed: a new password asks for the present one. */
@ReadOnlyFields('_id', 'createdAt', 'updatedAt')
export class UpdateOwnUserInput extends UserChange {
  @RequiredWith('password')
  @PresentedSecret({ optional: true })
  currentPassword?: string;

  @ListOf(ROLES, { optional: true })
  roles?: Role[];
}

/** A person with an account. */
export class UserDto implements Described {
  /** @example "65f5f0a2c3d4e5f60718293a" */
  _id!: string;
  /** @example "ada" */
  username!: string;
  /** @example "Analytical Engines Ltd" */
  companyName!: string;
  /** @example "ada@engines.example" */
  email!: string;
  /** @example [] */
  roles!: Role[];
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
  /** When what the record shows changed last. @example "2026-03-16T19:07:54.575Z" */
  updatedAt!: string;
}

/** A User as an answer shows it. */
export function toUser(user: UserRecord): UserDto {
  return {
    _id: user._id.toHexString(),
    username: user.username,
    companyName: user.companyName,
    email: user.email,
    roles: user.roles,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

/** The fields of a stored User that answers and writes need; sessions and the password's hash are not among them. */
export const SHOWN_USER = {
  username: 1,
  companyName: 1,
  email: 1,
  roles: 1,
  revision: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

/** A User as guards find it, services judge it and `toUser` shows it. */
export type UserRecord = Pick<User, '_id' | keyof typeof SHOWN_USER>;

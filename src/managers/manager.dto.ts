import type { Account } from '../auth/account';
import { RecordId } from '../validation/fields/id-fields';
import { ReadOnlyFields } from '../validation/fields/read-only-fields';
import { ExactlyOneOf } from '../validation/fields/related-fields';
import { Text } from '../validation/fields/text-fields';
import type { UserRecord } from '../users/user.dto';
import type { Manager } from '../organizations/manager.schema';

/** Who is to become a Manager: one of the three. */
@ReadOnlyFields('_id', 'companyName', 'createdBy', 'createdAt')
@ExactlyOneOf('userId', 'username', 'email')
export class ManagerInput {
  /** The User's id. */
  @RecordId({ optional: true })
  userId?: string;

  /**
   * Instead of the id.
   * @example "ada"
   */
  @Text({ max: 254, optional: true })
  username?: string;

  /** Instead of the id. With open registration only an Admin may use it, since there an e-mail address is a claim. */
  @Text({ max: 254, optional: true })
  email?: string;
}

/** A User as a Manager of an Organization. */
export class ManagerDto {
  /** The User's id. @example "65f5f0a2c3d4e5f60718293a" */
  _id!: string;
  /** As the User has it now. @example "ada" */
  username!: string;
  /** As the User has it now. @example "Analytical Engines Ltd" */
  companyName!: string;
  /** Only for Admins and that User. @example "ada@engines.example" */
  email?: string;
  /** The User who added them. @example "65f5f0a2c3d4e5f60718293a" */
  createdBy!: string;
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
}

/** A Manager as an answer shows it to this caller (contract §3 Manager). */
export function toManager(manager: Manager, user: ManagerUser, caller: Account): ManagerDto {
  const mayKnowEmail = caller.isAdmin || caller._id.equals(user._id);
  return {
    _id: manager._id.toHexString(),
    username: user.username,
    companyName: user.companyName,
    ...(mayKnowEmail && { email: user.email }),
    createdBy: manager.createdBy.toHexString(),
    createdAt: manager.createdAt.toISOString(),
  };
}

/** The fields of a User that a Manager shows. */
export const MANAGER_USER = { username: 1, companyName: 1, email: 1 } as const;

/** The User behind a Manager, as `toManager` takes it. */
export type ManagerUser = Pick<UserRecord, '_id' | keyof typeof MANAGER_USER>;

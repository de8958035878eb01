import { RecordId } from '../../platform/http/fields/value-fields';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { ExactlyOneOf } from '../../platform/http/fields/related-fields';
import { Text } from '../../platform/http/fields/text-fields';
import { ResponseField } from '../../platform/http/responses/response-fields';
import type { Manager } from '../organizations/organization.schema';
import type { UserRecord } from '../users/user.schema';

/** The User who becomes a Manager: exactly one of the three. */
@ReadOnlyFields('_id', 'companyName', 'createdBy', 'createdAt')
@ExactlyOneOf('userId', 'username', 'email')
export class ManagerInput {
  /** The User's id. */
  @RecordId({ optional: true }) userId?: string;
  /** Instead of the id. @example "ada" */
  @Text({ max: 254, optional: true }) username?: string;
  /** Instead of the id. Unless you are an Admin, it must be an address that an Admin set: others are not verified. */
  @Text({ max: 254, optional: true }) email?: string;
}

/** A Manager of an Organization with the names of their User. */
export interface ManagerRecord extends Manager, Pick<UserRecord, 'username' | 'companyName'> {
  /** Left out unless this caller may see it. */
  readonly email: string | undefined;
}

/** A User as a Manager of an Organization. */
export class ManagerDto {
  /** The User's id. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') _id!: string;
  /** The current username of the User. @example "ada" */
  @ResponseField() username!: string;
  /** The current company name of the User. @example "Analytical Engines Ltd" */
  @ResponseField() companyName!: string;
  /** Only for Admins and Managers of the same Organization. @example "ada@engines.example" */
  @ResponseField('value', ({ email }: ManagerRecord) => email) email?: string;
  /** The User who added them. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When they were added. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
}

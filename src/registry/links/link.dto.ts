import type { Account } from '../../platform/http/access/account';
import { Password } from '../../platform/http/fields/password-fields';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { EmailAddress, Text, Username } from '../../platform/http/fields/text-fields';
import { ResponseField } from '../../platform/http/responses/response-fields';
import type { OrganizationRecord } from '../organizations/organization.schema';
import { UserDto } from '../users/user.dto';
import type { UserRecord } from '../users/user.schema';
import type { LinkRecord } from './link.schema';

/** What a POST creates. The token is shown this once. */
export type CreatedLink = LinkRecord & Pick<CreatedLinkDto, 'token' | 'path'>;

/** A link that can be used now: with its maker (none: the operator), and the User or the Organization that it is about. */
export interface CurrentLink extends LinkRecord {
  readonly maker: Account | undefined;
  readonly user: UserRecord | undefined;
  readonly organization: OrganizationRecord | undefined;
}

type LinkPurpose = 'password' | 'invitation';

/** What a link is for. */
export const purposeOf = ({ user }: CurrentLink): LinkPurpose => (user ? 'password' : 'invitation');

/** Nothing: the path names the User. */
export class PasswordLinkInput {}

/** A new link. */
export class CreatedLinkDto {
  /** Shown this once. Anyone who has it can use the link. @example "roster_link_…" */
  @ResponseField() token!: string;
  /** The path of its page, for the address to send; null without the page. @example "/catalog/#link=roster_link_…" */
  @ResponseField() path!: string | null;
  /** When it stops working. @example "2026-03-19T19:07:54.575Z" */
  @ResponseField('timestamp') expiresAt!: string;
}

/** An invitation to manage an Organization, for somebody without an account. */
@ReadOnlyFields('_id', 'createdBy', 'createdAt', 'expiresAt')
export class InvitationInput {
  /** The e-mail address that their account will have. @example "grace@engines.example" */
  @EmailAddress() email!: string;
}

/** An invitation that was not used yet. */
export class InvitationDto {
  /** The id of the invitation. @example "65f5f0a2c3d4e5f60718293e" */
  @ResponseField('id') _id!: string;
  /** The e-mail address that the account will have. @example "grace@engines.example" */
  @ResponseField() email!: string;
  /** The User who made it. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was made. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When it stops working. @example "2026-03-19T19:07:54.575Z" */
  @ResponseField('timestamp') expiresAt!: string;
}

/** A new invitation, with its link. */
export class CreatedInvitationDto extends InvitationDto implements CreatedLinkDto {
  /** Shown this once. Anyone who has it can use the link. @example "roster_link_…" */
  @ResponseField() token!: string;
  /** The path of its page, for the address to send; null without the page. @example "/catalog/#link=roster_link_…" */
  @ResponseField() path!: string | null;
}

/** What a link is for. */
export class CurrentLinkDto {
  /** `password` or `invitation`. @example "invitation" */
  @ResponseField('value', purposeOf) purpose!: LinkPurpose;
  /** Of a password link: whose password it sets. @example "ada" */
  @ResponseField('value', ({ user }: CurrentLink) => user?.username) username?: string;
  /** Of an invitation: the e-mail address that the account will have. @example "grace@engines.example" */
  @ResponseField('value', ({ email }: CurrentLink) => email ?? undefined) email?: string;
  /** Of an invitation: the Organization that it will manage. @example "Analytical Engines" */
  @ResponseField('value', ({ organization }: CurrentLink) => organization?.name ?? null)
  organizationName!: string | null;
  /** When it stops working. @example "2026-03-19T19:07:54.575Z" */
  @ResponseField('timestamp') expiresAt!: string;
}

/** For a password link the password alone; an invitation requires all fields. */
export class UseLinkInput {
  /** The name to log in with, unique without regard to case. @example "grace" */
  @Username({ optional: true }) username?: string;
  /** The company that the User works for. @example "Analytical Engines Ltd" */
  @Text({ max: 255, kind: 'name', optional: true }) companyName?: string;
  /** The password to log in with. No response contains it. @example "a long-winded passphrase" */
  @Password() password!: string;
}

/** What a link has changed: of a password link only `username` and `purpose`, of an invitation the new User. */
export class UsedLinkDto extends (UserDto as new () => Partial<UserDto>) {
  /** The User's id. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id', ({ _id }: Partial<UserRecord>) => _id) override _id?: string;
  /** The company that the User works for. @example "Analytical Engines Ltd" */
  @ResponseField('value', ({ companyName }: Partial<UserRecord>) => companyName) override companyName?: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp', ({ createdAt }: Partial<UserRecord>) => createdAt) override createdAt?: string;
  /** `password` or `invitation`. @example "invitation" */
  @ResponseField() purpose!: LinkPurpose;
}

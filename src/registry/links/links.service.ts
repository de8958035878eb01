import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../platform/http/access/account';
import { accessRules } from '../../platform/http/access/access-rules';
import { hashOfToken } from '../../platform/http/access/api-key';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { logSecurity } from '../../platform/http/access/security-events';
import { validateFields } from '../../platform/http/fields/validate-fields';
import type { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { Settings } from '../../platform/base/settings/settings';
import { InjectRecords, Records } from '../../platform/records/records';
import { type Page, pageById } from '../../platform/records/reads/page';
import { HourlySweeps } from '../../platform/records/start/hourly-sweeps';
import { actAs, beforeTransaction, context, outsideTransaction } from '../../platform/records/transactions/context';
import { ManagersService } from '../managers/managers.service';
import {
  managerIdsOf,
  MAX_MANAGERS,
  Organization,
  type OrganizationRecord,
} from '../organizations/organization.schema';
import { Passwords } from '../users/passwords';
import { CreateUserInput } from '../users/user.dto';
import { userGone } from '../users/user-access';
import { accountOf } from '../users/user-accounts';
import { type NamedUser, User, type UserRecord } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { type CreatedLink, type CurrentLink, type InvitationInput, purposeOf, type UseLinkInput } from './link.dto';
import { Link, type LinkRecord } from './link.schema';

const PREFIX = 'roster_link_';
const LIFETIME_MS = 72 * 60 * 60 * 1000;

/** The most invitations of a Manager, in all Organizations. */
const MAX_OF_MANAGER = 20;

/** Links for one use (contract §3 Links). */
@Injectable()
export class LinksService {
  constructor(
    @InjectRecords(Link.name) private readonly links: Records<LinkRecord>,
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    private readonly usersService: UsersService,
    private readonly managers: ManagersService,
    private readonly passwords: Passwords,
    private readonly settings: Settings,
    sweeps: HourlySweeps,
  ) {
    usersService.whenSessionsEnd(async ({ _id }) => void (await links.removeAll({ userId: _id })));
    sweeps.add('links that have expired', () => links.removeAll({ expiresAt: { $lt: new Date() } }));
  }

  /** Finds the link by its token, if its maker could make it now. */
  @Loads('links/current', { description: 'The link', notFound: 'linkNotFound' })
  async load(token: string): Promise<LoadedResource | undefined> {
    const link = await this.links.findUnique('hash', hashOfToken(token));
    if (!link || !isOpen(link)) return undefined;
    const { createdBy, userId, organizationId } = link;
    const [maker, user, organization] = await Promise.all([
      createdBy ? this.users.get(createdBy) : undefined,
      userId ? this.usersService.find({ _id: String(userId) }) : undefined,
      organizationId ? this.organizations.get(organizationId) : undefined,
    ]);
    const account = maker && !maker.isSuspended ? accountOf(maker) : undefined;
    const rule = organization ? accessRules.invite : accessRules.admin;
    const ownership = { managerIds: organization ? managerIdsOf(organization) : [] };
    const mayMake = rule.allows({ account, registrant: undefined, ownership, settings: this.settings });
    const hasPlace = organization ? organization.managers.length < MAX_MANAGERS : user && !problemOf(user);
    if (!hasPlace || !(mayMake || createdBy === null)) return undefined;
    const record: CurrentLink = { ...link, maker: account, user, organization };
    return { record };
  }

  @Loads('invitations/:invitationId', { description: 'The invitation', notFound: 'linkNotFound' })
  async loadInvitation(id: string, { record }: LoadedResource): Promise<LoadedResource | undefined> {
    const link = await this.links.get(id);
    const isTheirs = link?.organizationId?.equals((record as OrganizationRecord)._id);
    return link && isTheirs && isOpen(link) ? { record: link } : undefined;
  }

  /** Makes the one link that sets a User's password. @param caller none for the operator @throws ApiError noPasswordLink */
  async createForPassword(caller: Account | undefined, { _id: userId }: UserRecord): Promise<CreatedLink> {
    const user = await this.usersService.find({ _id: String(userId) });
    if (!user) throw userGone(userId);
    const problem = problemOf(user);
    if (problem) throw apiError('noPasswordLink', problem);
    await this.links.removeAll({ userId });
    return this.insert(caller, { userId });
  }

  /** Tells only an Admin that the address is taken. @throws ApiError emailTaken, tooMany */
  async createInvitation(
    caller: Account,
    organizationId: OrganizationRecord['_id'],
    body: InvitationInput,
  ): Promise<CreatedLink> {
    const { _id: createdBy, isAdmin } = caller;
    if (isAdmin) await this.users.assertUnique(body);
    const link = await this.insert(caller, { ...body, organizationId });
    const made = isAdmin ? 0 : await this.links.count({ createdBy, userId: null }, MAX_OF_MANAGER + 1);
    if (made > MAX_OF_MANAGER)
      throw apiError('tooMany', `You have reached your limit of ${MAX_OF_MANAGER} Invitations.`);
    return link;
  }

  /** The open invitations, in the order of `_id`. There are at most 50, so the page is cut here. */
  async listInvitations(organizationId: OrganizationRecord['_id'], query: PageQueryDto): Promise<Page<LinkRecord>> {
    const links = await this.links.find({ organizationId });
    if (links.length === 0) await this.organizations.assertExists(organizationId, 'organizationNotFound');
    return pageById(links.filter(isOpen), query);
  }

  remove(link: LinkRecord): Promise<void> {
    return this.links.remove(link);
  }

  /** Does what a link is for, and deletes it. @throws InvalidContentError; ApiError usernameTaken, emailTaken */
  async use(link: CurrentLink, body: UseLinkInput): Promise<object> {
    const fields = fieldsFor(link, body);
    const user = link.user ? await this.setPassword(link, link.user, body) : await this.accept(link, fields);
    logSecurity('linkUsed', { linkId: String(link._id) });
    const shown = link.user ? { username: user.username } : user;
    return { ...shown, purpose: purposeOf(link) };
  }

  private async setPassword(link: CurrentLink, user: UserRecord, { password }: UseLinkInput): Promise<UserRecord> {
    const { address: ip } = context();
    const passwordHash = await beforeTransaction('hash', () => this.passwords.hash(password, { ip }));
    actAs(user);
    await this.links.remove(link);
    return this.usersService.setPassword(user, passwordHash);
  }

  /** The maker of the link creates the User and adds the Manager, but the User is the actor. */
  private async accept(link: CurrentLink, fields: CreateUserInput): Promise<UserRecord> {
    const maker = link.maker!;
    const user = await this.usersService.create({ isAdmin: maker.isAdmin }, fields).catch(async (error: Error) => {
      // Somebody who has used the link meanwhile has the address. On MongoDB, an error has ended the transaction.
      await outsideTransaction(() => this.links.assertExists(link._id, 'linkNotFound'));
      throw error;
    });
    actAs(user);
    await this.managers.create(maker, link.organization!, { userId: user._id.toHexString() });
    await this.links.remove(link);
    return user;
  }

  private async insert(caller: Account | undefined, about: Partial<LinkRecord>): Promise<CreatedLink> {
    const token = PREFIX + randomBytes(32).toString('base64url');
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    const own = { hash: hashOfToken(token), createdBy: caller?._id ?? null, createdAt, expiresAt };
    const link = await this.links.insert({}, { ...about, ...own });
    const { userId, organizationId } = about;
    const ids = { userId: userId?.toHexString(), organizationId: organizationId?.toHexString() };
    logSecurity('linkCreated', { linkId: String(link._id), ...ids });
    const { basePath, catalog } = this.settings;
    return { ...link, token, path: catalog ? `${basePath}/catalog/#link=${token}` : null };
  }
}

function isOpen({ expiresAt }: LinkRecord): boolean {
  return expiresAt.getTime() > Date.now();
}

/** Why no link can set the User's password. */
function problemOf({ isSuspended, externalId, passwordHash }: NamedUser): string | undefined {
  if (isSuspended) return 'The User is suspended.';
  const isElsewhere = externalId && passwordHash === null;
  return isElsewhere ? 'The User logs in at the identity provider, and has no password here.' : undefined;
}

/** All fields of the User that a link is about: they have rules together. @throws InvalidContentError */
function fieldsFor(link: CurrentLink, { password, ...names }: UseLinkInput): CreateUserInput {
  const { username, companyName, email } = link.user ?? { ...names, email: link.email };
  const { value, fieldErrors } = validateFields(CreateUserInput, { username, companyName, email, password });
  // A User has their names already, also if they are older than the rules about them.
  const given = Object.entries(link.user ? names : {}).filter(([, name]) => name !== undefined);
  const errors = link.user ? fieldErrors.filter(({ title }) => title === 'password') : fieldErrors;
  const all = [...errors, ...given.map(([name]) => fieldError('unknownField', name))];
  if (all.length > 0) throw invalidContent(...all);
  return value;
}

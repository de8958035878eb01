import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { isFoundBy } from '../../platform/records/schema/derived-fields';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { etagOfBody, type Precondition } from '../../platform/http/responses/etag';
import { Page, pageOf } from '../../platform/records/reads/page';
import { toResponse } from '../../platform/http/responses/response-fields';
import { type Manager, Organization, OrganizationRecord } from '../organizations/organization.schema';
import { User, type UserRecord } from '../users/user.schema';
import { OrganizationsService } from '../organizations/organizations.service';
import { UsersService } from '../users/users.service';
import type { SearchableListQuery } from '../../platform/http/query/page-query.dto';
import { ManagerDto, ManagerInput, ManagerRecord } from './manager.dto';

const SHOWN_USER = { only: ['username', 'companyName', 'email'] } as const;

/** The Manager that a path names. */
export interface LoadedManager {
  readonly _id: Types.ObjectId;
  readonly organization: OrganizationRecord;
  /** The Organization's, which rises with every change of its managers. */
  readonly revision: number;
}

/** `/organizations/:id/managers` (contract §4). Managers are embedded in their Organization (docs/adr/0007). */
@Injectable()
export class ManagersService {
  constructor(
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly usersService: UsersService,
    private readonly organizationsService: OrganizationsService,
  ) {}

  /** The path names the Organization first, so its managers have been loaded. */
  @Loads('managers/:managerId', { description: 'The Manager: the id of the User', notFound: 'managerNotFound' })
  load(id: string, { record }: LoadedResource): Promise<LoadedResource | undefined> {
    const organization = record as OrganizationRecord;
    const manager = organization.managers.find(({ _id }) => _id.equals(id));
    const { revision } = organization;
    return Promise.resolve(manager && { record: { _id: manager._id, organization, revision } });
  }

  /**
   * The managers in the order of joining. There are at most 500, so the page is cut here.
   * @param showsEmail true for Admins and Managers of the Organization (contract §3 Manager)
   */
  async list(
    showsEmail: boolean,
    { _id }: OrganizationRecord,
    query: SearchableListQuery,
  ): Promise<Page<ManagerRecord>> {
    const managers = await this.read(showsEmail, { _id }, 'managers');
    // Every Organization has a manager.
    if (managers.length === 0) throw apiError('organizationNotFound');
    const { q } = query;
    const isFound = ({ username, companyName }: ManagerRecord): boolean => !q || isFoundBy(q, [username, companyName]);
    const found = managers.filter(isFound);
    return pageOf(found, query);
  }

  /** @throws ApiError managerNotFound when the Manager left since the request was authorized */
  async get(showsEmail: boolean, { _id, organization }: LoadedManager): Promise<ManagerRecord> {
    const filter = { _id: organization._id, 'managers._id': _id };
    const [manager] = await this.read(showsEmail, filter, 'managers.$');
    if (!manager) throw apiError('managerNotFound');
    return manager;
  }

  /**
   * Makes a User a manager.
   * @param mayInvite whether an error tells the caller of invitations
   * @throws InvalidContentError namesNothing; ApiError managerExists, tooMany
   */
  async create(
    caller: Account,
    organization: OrganizationRecord,
    body: ManagerInput,
    mayInvite = false,
  ): Promise<ManagerRecord> {
    const { userId: named, username, email } = body;
    const found = await this.usersService.find({ _id: named, username, email });
    // E-mail addresses are not verified: for anyone but Admins, one names a User only if an Admin set it.
    const isNamed = found && (email === undefined || caller.isAdmin || found.emailSetByAdmin);
    if (!isNamed || found.isSuspended) throw noSuchUser(caller, body, mayInvite);
    const { _id: userId } = found;
    if (organization.managers.some(({ _id }) => _id.equals(userId))) throw apiError('managerExists');
    const manager: Manager = { _id: userId, createdBy: caller._id, createdAt: new Date() };
    await this.organizations.embed(organization, 'managers', manager);
    const [user] = await this.users.find({ _id: userId }, SHOWN_USER);
    return withUser(manager, user!, true);
  }

  /** Removes a Manager from an Organization; the last one who is not suspended stays. @throws ApiError preconditionFailed, lastManager */
  async remove(manager: LoadedManager, ifMatch: Precondition): Promise<void> {
    const { _id, organization } = manager;
    if (ifMatch.isGiven) ifMatch.require(etagOfBody(toResponse(ManagerDto, await this.get(true, manager))));
    const user = await this.users.get(_id);
    if (!user) throw apiError('managerNotFound');
    const depending = await this.organizationsService.dependingOn(user, [organization]);
    if (depending.length > 0) throw apiError('lastManager');
    await this.organizations.removeEmbedded(organization, 'managers', { _id });
  }

  private async read(showsEmail: boolean, filter: object, field: 'managers' | 'managers.$'): Promise<ManagerRecord[]> {
    const read = { only: [field] };
    const [organization] = await this.organizations.find<Pick<Organization, 'managers'>>(filter, read);
    const { managers } = organization ?? { managers: [] };
    const users = await this.users.find({ _id: { $in: managers.map((manager) => manager._id) } }, SHOWN_USER);
    const byId = new Map(users.map((user) => [String(user._id), user]));
    return managers.flatMap((manager) => {
      const user = byId.get(String(manager._id));
      return user ? [withUser(manager, user, showsEmail)] : [];
    });
  }
}

function withUser(manager: Manager, user: UserRecord, showsEmail: boolean): ManagerRecord {
  const { username, companyName, email } = user;
  return { ...manager, username, companyName, email: showsEmail ? email : undefined };
}

/** An Admin may add every User, so only an Admin is told that there is none. */
function noSuchUser({ isAdmin }: Account, { username, email }: ManagerInput, mayInvite: boolean): Error {
  const title = username !== undefined ? 'username' : email !== undefined ? 'email' : 'userId';
  const isNoUser = title === 'email' && isAdmin;
  const detail = isNoUser ? 'is not the e-mail address of a User' : 'is not a User who may be added';
  const advice = mayInvite ? '; invite somebody without an account with POST /organizations/:id/invitations' : '';
  return invalidContent(fieldError('namesNothing', title, detail + advice));
}

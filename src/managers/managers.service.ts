import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { Change } from '../auth/change';
import { Settings } from '../config/settings';
import { addReference } from '../database/references';
import { searchText } from '../database/search';
import { Transactions } from '../database/transactions';
import { etagOfBody } from '../http/etag';
import { apiError } from '../errors/api-error';
import { fieldError, invalidContent } from '../errors/field-error';
import { caseFold } from '../validation/case-fold';
import type { Page } from '../http/page';
import type { SearchableListQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.dto';
import { MAX_MANAGERS, Organization } from '../organizations/organization.schema';
import { User } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { MANAGER_USER, ManagerInput, ManagerDto, ManagerUser, toManager } from './manager.dto';
import type { Manager } from '../organizations/manager.schema';
import type { ManagerPlace } from './managers.target';

/** The Managers of an Organization, kept in its record (ADR 7) and shown with what their Users are called now. */
@Injectable()
export class ManagersService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly usersService: UsersService,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  /** The Managers by joining. They are at most 500 and come with the Organization, so that the page is cut here. */
  async list(caller: Account, organizationId: Types.ObjectId, query: SearchableListQuery): Promise<Page<ManagerDto>> {
    const { skip, limit, q, exactCount } = query;
    const shown = await this.all(caller, organizationId);
    const matching = q === undefined ? shown : shown.filter((manager) => matches(manager, caseFold(q)));
    const records = matching.slice(skip, skip + limit);
    return { records, hasMore: matching.length > skip + limit, ...(exactCount && { total: matching.length }) };
  }

  /** @throws Failure managerNotFound when the Manager left since the request was judged */
  async get(caller: Account, organizationId: Types.ObjectId, managerId: Types.ObjectId): Promise<ManagerDto> {
    const organization = await this.organizations
      .findOne({ _id: organizationId }, { managers: { $elemMatch: { _id: managerId } } })
      // Where none matches, there is no array either.
      .lean<Partial<Pick<Organization, 'managers'>>>();
    const user = await this.users.findOne({ _id: managerId }, MANAGER_USER).lean();
    const manager = organization?.managers?.[0];
    if (!manager || !user) throw apiError('managerNotFound');
    return toManager(manager, user, caller);
  }

  /**
   * Makes a User a Manager.
   *
   * @throws InvalidContent namesNothing; Failure managerExists, tooMany, concurrentChange
   */
  create(organization: Change<OrganizationRecord>, body: ManagerInput): Promise<ManagerDto> {
    const caller = organization.account;
    return organization.write(async (record) => {
      const userId = await this.find(caller, body);
      if (record.managers.some(({ _id }) => _id.equals(userId))) throw apiError('managerExists');
      if (record.managers.length >= MAX_MANAGERS)
        throw apiError('tooMany', `An Organization has at most ${MAX_MANAGERS} Managers.`);
      const manager: Manager = { _id: userId, createdBy: caller._id, createdAt: new Date() };
      return this.transactions.attempt(async () => {
        if (!(await addReference(this.users, { _id: userId }))) throw nobody(body);
        const user = await this.users.findOne({ _id: userId }, MANAGER_USER).lean();
        const change = { $push: { managers: manager }, $inc: { revision: 1 }, $set: { updatedAt: manager.createdAt } };
        const added = await this.organizations.updateOne(joinable(record, userId, caller), change);
        return added.matchedCount === 1 && user ? toManager(manager, user, caller) : undefined;
      });
    });
  }

  /**
   * Takes a Manager out of an Organization; the last one stays.
   *
   * @throws Failure preconditionFailed, lastManager, concurrentChange
   */
  async remove(manager: Change<ManagerPlace>): Promise<void> {
    await manager.write(async ({ _id, revision }) => {
      const organization = manager.parent<OrganizationRecord>();
      if (manager.isConditional)
        manager.requireMatch(etagOfBody(await this.get(manager.account, organization._id, _id)));
      const change = { $pull: { managers: { _id } }, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
      const judged: QueryFilter<Organization> = { _id: organization._id, revision, 'managers.1': { $exists: true } };
      const removed = await this.organizations.updateOne(judged, change);
      if (removed.matchedCount === 1) return true;
      if (organization.managers.length === 1) throw apiError('lastManager');
      return undefined;
    });
  }

  private async all(caller: Account, organizationId: Types.ObjectId): Promise<ManagerDto[]> {
    const organization = await this.organizations.findOne({ _id: organizationId }, { managers: 1 }).lean();
    if (!organization) throw apiError('organizationNotFound');
    const ids = organization.managers.map(({ _id }) => _id);
    const users: ManagerUser[] = await this.users.find({ _id: { $in: ids } }, MANAGER_USER).lean();
    const byId = new Map(users.map((user) => [user._id.toHexString(), user]));
    return organization.managers.flatMap((manager) => {
      const user = byId.get(manager._id.toHexString());
      return user ? [toManager(manager, user, caller)] : [];
    });
  }

  private async find(caller: Account, { userId, username, email }: ManagerInput): Promise<Types.ObjectId> {
    const isClaim = email !== undefined && this.settings.registration === 'open' && !caller.isAdmin;
    const found = isClaim ? undefined : await this.usersService.find({ _id: userId, username, email });
    if (!found) throw nobody({ userId, username, email });
    return found._id;
  }
}

function nobody(body: ManagerInput): Error {
  const title = (['userId', 'username', 'email'] as const).find((name) => body[name] !== undefined) ?? 'userId';
  return invalidContent(fieldError('namesNothing', title, 'names nobody'));
}

/** Of a Manager username and companyName are searched (contract §2 `q`). */
function matches({ username, companyName }: ManagerDto, folded: string): boolean {
  return searchText(username, companyName).includes(folded);
}

/** Finds the Organization while the User may be added: not by its revision, so that many may join at once. */
function joinable({ _id }: OrganizationRecord, userId: Types.ObjectId, caller: Account): QueryFilter<Organization> {
  const mayAdd = caller.isAdmin ? {} : { 'managers._id': caller._id };
  const isFree = { 'managers._id': { $ne: userId }, [`managers.${MAX_MANAGERS - 1}`]: { $exists: false } };
  return { _id, $and: [mayAdd, isFree] };
}

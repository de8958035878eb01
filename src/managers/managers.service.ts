import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { Settings } from '../config/settings';
import { searchText } from '../database/derived-fields';
import { addReference } from '../database/references';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { fieldError, invalidContent } from '../errors/field-error';
import { etagOfBody } from '../http/etag';
import { Page, pageOf } from '../http/page';
import { toResponse } from '../http/response-fields';
import type { Manager } from '../organizations/manager.schema';
import { MAX_MANAGERS, Organization, OrganizationRecord } from '../organizations/organization.schema';
import { User } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { caseFold } from '../validation/case-fold';
import type { SearchableListQuery } from '../validation/query/page-query.dto';
import { ManagerDto, ManagerInput, ManagerRecord } from './manager.dto';

/** What a Manager shows of their User. */
const SHOWN_USER = { username: 1, companyName: 1, email: 1 } as const;

/** A manager's entry in an Organization. */
export interface ManagerPlace {
  readonly _id: Types.ObjectId;
  /** The Organization's, which rises with every change of its managers. */
  readonly revision: number;
}

/** `/organizations/:id/managers` (contract §4). Managers are embedded in their Organization (docs/adr/0007). */
@Injectable()
export class ManagersService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly usersService: UsersService,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {}

  /** The managers in the order of joining. There are at most 500, so the page is cut here. */
  async list(
    caller: Account,
    organizationId: Types.ObjectId,
    query: SearchableListQuery,
  ): Promise<Page<ManagerRecord>> {
    const managers = await this.all(caller, organizationId);
    const { q } = query;
    return pageOf(q === undefined ? managers : managers.filter((manager) => matches(manager, caseFold(q))), query);
  }

  /** @throws ApiError managerNotFound when the Manager left since the request was authorized */
  async get(caller: Account, organizationId: Types.ObjectId, managerId: Types.ObjectId): Promise<ManagerRecord> {
    const organization = await this.organizations
      .findOne({ _id: organizationId }, { managers: { $elemMatch: { _id: managerId } } })
      .schemaLevelProjections(false)
      // Where none matches, there is no array either.
      .lean<Partial<Pick<Organization, 'managers'>>>();
    const user = await this.users.findOne({ _id: managerId }, SHOWN_USER).lean();
    const manager = organization?.managers?.[0];
    if (!manager || !user) throw apiError('managerNotFound');
    return shownTo(caller, manager, user);
  }

  /**
   * Makes a User a manager.
   *
   * @throws InvalidContentError namesNothing; ApiError managerExists, tooMany, concurrentChange
   */
  create(organization: ForUpdate<OrganizationRecord>, body: ManagerInput): Promise<ManagerRecord> {
    const caller = organization.account;
    return organization.write(async (record) => {
      const userId = await this.findUser(caller, body);
      if (record.managers.some(({ _id }) => _id.equals(userId))) throw apiError('managerExists');
      if (record.managers.length >= MAX_MANAGERS) {
        throw apiError('tooMany', `The Organization has reached its limit of ${MAX_MANAGERS} Managers.`);
      }
      const manager: Manager = { _id: userId, createdBy: caller._id, createdAt: new Date() };
      return this.transactions.attempt(async () => {
        if (!(await addReference(this.users, { _id: userId }))) throw noSuchUser(body);
        const user = await this.users.findOne({ _id: userId }, SHOWN_USER).lean();
        const change = { $push: { managers: manager }, $inc: { revision: 1 }, $set: { updatedAt: manager.createdAt } };
        const added = await this.organizations.updateOne(joinable(record, userId, caller), change);
        return added.matchedCount === 1 && user ? shownTo(caller, manager, user) : undefined;
      });
    });
  }

  /**
   * Removes a Manager from an Organization; the last one stays.
   *
   * @throws ApiError preconditionFailed, lastManager, concurrentChange
   */
  async remove(manager: ForUpdate<ManagerPlace>): Promise<void> {
    await manager.write(async ({ _id, revision }) => {
      const organization = manager.parent<OrganizationRecord>();
      if (manager.isConditional) {
        const current = await this.get(manager.account, organization._id, _id);
        manager.requireMatch(etagOfBody(toResponse(ManagerDto, current)));
      }
      const change = { $pull: { managers: { _id } }, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
      const filter: QueryFilter<Organization> = { _id: organization._id, revision, 'managers.1': { $exists: true } };
      const removed = await this.organizations.updateOne(filter, change);
      if (removed.matchedCount === 1) return true;
      if (organization.managers.length === 1) throw apiError('lastManager');
      return undefined;
    });
  }

  private async all(caller: Account, organizationId: Types.ObjectId): Promise<ManagerRecord[]> {
    const organization = await this.organizations
      .findOne({ _id: organizationId }, { managers: 1 })
      .schemaLevelProjections(false)
      .lean();
    if (!organization) throw apiError('organizationNotFound');
    const ids = organization.managers.map(({ _id }) => _id);
    const users = await this.users.find({ _id: { $in: ids } }, SHOWN_USER).lean();
    const byId = new Map(users.map((user) => [user._id.toHexString(), user]));
    return organization.managers.flatMap((manager) => {
      const user = byId.get(manager._id.toHexString());
      return user ? [shownTo(caller, manager, user)] : [];
    });
  }

  /** With open registration an e-mail address is not verified, so only Admins may name a User by it. */
  private async findUser(caller: Account, { userId, username, email }: ManagerInput): Promise<Types.ObjectId> {
    const isUnverified = email !== undefined && this.settings.registration === 'open' && !caller.isAdmin;
    const user = isUnverified ? undefined : await this.usersService.find({ _id: userId, username, email });
    if (!user) throw noSuchUser({ userId, username, email });
    return user._id;
  }
}

function shownTo(caller: Account, manager: Manager, user: ManagerRecord['user']): ManagerRecord {
  return { ...manager, user, showsEmail: caller.isAdmin || caller._id.equals(user._id) };
}

function noSuchUser(body: ManagerInput): Error {
  const title = (['userId', 'username', 'email'] as const).find((name) => body[name] !== undefined) ?? 'userId';
  return invalidContent(fieldError('namesNothing', title, 'is not a User who may be added'));
}

/** Of a Manager, username and companyName are searched (contract §2 `q`). */
function matches({ user }: ManagerRecord, folded: string): boolean {
  return searchText([user.username, user.companyName]).includes(folded);
}

/** Finds the Organization while the User may be added: not by its revision, so many can join at once. */
function joinable({ _id }: OrganizationRecord, userId: Types.ObjectId, caller: Account): QueryFilter<Organization> {
  const mayAdd = caller.isAdmin ? {} : { 'managers._id': caller._id };
  const isFree = { 'managers._id': { $ne: userId }, [`managers.${MAX_MANAGERS - 1}`]: { $exists: false } };
  return { _id, $and: [mayAdd, isFree] };
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { searchText } from '../database/derived-fields';
import { updateOne } from '../database/driver-writes';
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

/** The Manager that a path names. */
export interface ManagerPlace {
  readonly _id: Types.ObjectId;
  readonly organization: OrganizationRecord;
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
  ) {}

  /** The managers in the order of joining. There are at most 500, so the page is cut here. */
  async list(caller: Account, { _id }: OrganizationRecord, query: SearchableListQuery): Promise<Page<ManagerRecord>> {
    const managers = await this.read(caller, _id, { managers: 1 });
    // Every Organization has a manager.
    if (managers.length === 0) throw apiError('organizationNotFound');
    const q = caseFold(query.q ?? '');
    const found = managers.filter(({ user }) => searchText([user.username, user.companyName]).includes(q));
    return pageOf(found, query);
  }

  /** @throws ApiError managerNotFound when the Manager left since the request was authorized */
  async get(caller: Account, { _id, organization }: ManagerPlace): Promise<ManagerRecord> {
    const [manager] = await this.read(caller, organization._id, { managers: { $elemMatch: { _id } } });
    if (!manager) throw apiError('managerNotFound');
    return manager;
  }

  /**
   * Makes a User a manager.
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
        if (!user || !(await this.mayJoin(record, userId, caller))) return undefined;
        const change = { $push: { managers: manager }, $inc: { revision: 1 }, $set: { updatedAt: manager.createdAt } };
        await updateOne(this.organizations, { _id: record._id }, change);
        return shownTo(caller, manager, user);
      });
    });
  }

  /**
   * Removes a Manager from an Organization; the last one stays.
   * @throws ApiError preconditionFailed, lastManager, concurrentChange
   */
  async remove(manager: ForUpdate<ManagerPlace>): Promise<void> {
    await manager.write(async (place) => {
      const { _id, organization, revision } = place;
      if (manager.isConditional) {
        const current = await this.get(manager.account, place);
        manager.requireMatch(etagOfBody(toResponse(ManagerDto, current)));
      }
      if (organization.managers.length === 1) throw apiError('lastManager');
      const change = { $pull: { managers: { _id } }, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
      const removed = await this.organizations.updateOne({ _id: organization._id, revision }, change);
      return removed.matchedCount === 1 || undefined;
    });
  }

  private async read(caller: Account, _id: Types.ObjectId, projection: object): Promise<ManagerRecord[]> {
    const query = this.organizations.findOne({ _id }, projection).schemaLevelProjections(false);
    const organization = await query.lean<Partial<Pick<Organization, 'managers'>> | null>();
    // The array is missing when `$elemMatch` finds none.
    const managers = organization?.managers ?? [];
    const users = await this.users.find({ _id: { $in: managers.map((manager) => manager._id) } }, SHOWN_USER).lean();
    const byId = new Map(users.map((user) => [String(user._id), user]));
    return managers.flatMap((manager) => {
      const user = byId.get(String(manager._id));
      return user ? [shownTo(caller, manager, user)] : [];
    });
  }

  /**
   * Whether the User may be added to the Organization as it is now. The revision may have risen, so many can join at once.
   * To be called inside the transaction that adds them.
   */
  private async mayJoin({ _id }: OrganizationRecord, userId: Types.ObjectId, caller: Account): Promise<boolean> {
    const organization = await this.organizations.findOne({ _id }, { managers: 1 }).lean();
    if (!organization) return false;
    const { managers } = organization;
    const isManager = (id: Types.ObjectId): boolean => managers.some((manager) => manager._id.equals(id));
    return managers.length < MAX_MANAGERS && !isManager(userId) && (caller.isAdmin || isManager(caller._id));
  }

  /** E-mail addresses are not verified: for anyone but Admins, one names a User only if an Admin set it. */
  private async findUser(caller: Account, body: ManagerInput): Promise<Types.ObjectId> {
    const { userId: _id, username, email } = body;
    const user = await this.usersService.find({ _id, username, email });
    const isNamed = user && (email === undefined || caller.isAdmin || user.emailSetByAdmin);
    if (!isNamed) throw noSuchUser(body);
    return user._id;
  }
}

function shownTo(caller: Account, manager: Manager, user: ManagerRecord['user']): ManagerRecord {
  return { ...manager, user, showsEmail: caller.isAdmin || caller._id.equals(user._id) };
}

function noSuchUser({ username, email }: ManagerInput): Error {
  const title = username !== undefined ? 'username' : email !== undefined ? 'email' : 'userId';
  return invalidContent(fieldError('namesNothing', title, 'is not a User who may be added'));
}

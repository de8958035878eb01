import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { Change } from '../auth/change';
import { findPage } from '../database/find-page';
import { searchFilter } from '../database/search';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import type { Page } from '../http/page';
import type { SearchablePageQuery } from '../validation/query/page-query.dto';
import type { OrganizationRecord } from '../organizations/organization.dto';
import { MAX_APIS, Organization } from '../organizations/organization.schema';
import { ApiInput, ApiQuery, SHOWN_API, ApiRecord } from './api.dto';
import { Api } from './api.schema';
import { describedFields, writeNamed } from './named-api';

/** What is said to who would create one Api too many. */
const FULL = `An Organization has at most ${MAX_APIS.toLocaleString('en-US')} Apis.`;

/** The lists of Apis, and POST /organizations/:id/apis. */
@Injectable()
export class ApisService {
  constructor(
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    private readonly transactions: Transactions,
  ) {}

  /** The Apis that the caller may see: public ones and those of the Organizations that they manage; Admins all. */
  async list(caller: Account, query: ApiQuery): Promise<Page<ApiRecord>> {
    const filter: QueryFilter<Api> = searchFilter(query.q);
    const organizationId = query.organizationId && new Types.ObjectId(query.organizationId);
    if (organizationId) filter.organizationId = organizationId;
    if (query.lifecycleStatus !== undefined) filter.lifecycleStatus = query.lifecycleStatus;
    if (query.slug !== undefined) filter['slugs.text'] = query.slug;
    if (!caller.isAdmin) filter.$or = await this.visible(caller, organizationId ? { _id: organizationId } : {});
    return findPage<ApiRecord>(this.apis, filter, SHOWN_API, query);
  }

  /**
   * Those of one Organization that the caller may see: its Managers and Admins all, others the public ones.
   *
   * @throws Failure organizationNotFound when it went, and its Apis with it, since the request was judged
   */
  async listOf(
    caller: Account,
    organization: OrganizationRecord,
    query: SearchablePageQuery,
  ): Promise<Page<ApiRecord>> {
    const filter: QueryFilter<Api> = { organizationId: organization._id, ...searchFilter(query.q) };
    const seesAll = caller.isAdmin || organization.managers.some(({ _id }) => _id.equals(caller._id));
    if (!seesAll) filter.isPublic = true;
    const page = await findPage<ApiRecord>(this.apis, filter, SHOWN_API, query);
    const mayBeGone = page.records.length === 0;
    if (mayBeGone && !(await this.organizations.exists({ _id: organization._id })))
      throw apiError('organizationNotFound');
    return page;
  }

  /**
   * Creates an Api of an Organization, which counts its Apis in the same transaction.
   *
   * @throws Failure tooMany, apiNameTaken, concurrentChange
   */
  create(organization: Change<OrganizationRecord>, body: ApiInput): Promise<ApiRecord> {
    const _id = new Types.ObjectId();
    return organization.write((record) => {
      const name = { _id, organizationId: record._id, name: body.name };
      return writeNamed(this.apis, name, undefined, (slugs) => {
        const now = new Date();
        const owned = { _id, organizationId: record._id, createdBy: organization.account._id };
        const counters = { referenceCount: 0, revision: 0, createdAt: now, updatedAt: now };
        const api: Api = { ...owned, ...describedFields(body), ...slugs, ...counters };
        return this.transactions.attempt(async () => {
          if (!(await this.count(record))) return undefined;
          await this.apis.create([api]);
          return api;
        });
      });
    });
  }

  /** Public Apis, and those of the Organizations among these that the caller manages. */
  private async visible(caller: Account, among: { _id?: Types.ObjectId }): Promise<QueryFilter<Api>[]> {
    const managed = await this.organizations.find({ ...among, 'managers._id': caller._id }, { _id: 1 }).lean();
    const organizationIds = managed.map(({ _id }) => _id);
    return [{ isPublic: true }, { organizationId: { $in: organizationIds } }];
  }

  /**
   * Counts one Api more. It writes the Organization, as whoever refers to a record does (src/database/references.ts).
   *
   * @returns false when the Organization has changed since it was judged
   * @throws Failure tooMany
   */
  private async count({ _id, revision }: OrganizationRecord): Promise<boolean> {
    const judged = { _id, revision };
    const counted = await this.organizations.updateOne(
      { ...judged, apiCount: { $lt: MAX_APIS } },
      { $inc: { apiCount: 1, referenceCount: 1 } },
    );
    if (counted.matchedCount === 1) return true;
    if (await this.organizations.exists(judged)) throw apiError('tooMany', FULL);
    return false;
  }
}

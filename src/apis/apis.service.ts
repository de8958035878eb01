import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { changedFields, newRecord } from '../database/derived-fields';
import { insertOne, updateOne } from '../database/driver-writes';
import { refuseTaken } from '../database/duplicate-key';
import { findPage } from '../database/find-page';
import { RecordWriter } from '../database/record-writer';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import type { Page } from '../http/page';
import { MAX_APIS, Organization, OrganizationRecord } from '../organizations/organization.schema';
import { OrganizationsService } from '../organizations/organizations.service';
import type { Slugs } from '../slugs/slug.schema';
import { writeUnderSlug } from '../slugs/write-under-slug';
import type { SearchablePageQuery } from '../validation/query/page-query.dto';
import { ApiInput, ApiQuery } from './api.dto';
import { Api, ApiRecord, ApiSchema } from './api.schema';

/** `/apis` and `/organizations/:id/apis` (contract §4). */
@Injectable()
export class ApisService implements OnModuleInit {
  constructor(
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    private readonly organizationsService: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly writer: RecordWriter,
  ) {}

  /** The APIs of an Organization are deleted with it. */
  onModuleInit(): void {
    this.organizationsService.onDelete(({ _id }) => this.apis.deleteMany({ organizationId: _id }));
  }

  /** The APIs that the caller may see: public ones and those of the Organizations that they manage; Admins see all. */
  async list(caller: Account, query: ApiQuery): Promise<Page<ApiRecord>> {
    const filter: QueryFilter<Api> = {};
    const organizationId = query.organizationId && new Types.ObjectId(query.organizationId);
    if (organizationId) filter.organizationId = organizationId;
    if (query.lifecycleStatus !== undefined) filter.lifecycleStatus = query.lifecycleStatus;
    if (query.slug !== undefined) filter['slugs.text'] = query.slug;
    if (!caller.isAdmin) filter.$or = await this.visibleTo(caller, organizationId ? { _id: organizationId } : {});
    return findPage(this.apis, filter, query);
  }

  /**
   * The APIs of one Organization that the caller may see: its Managers and Admins see all, others the public ones.
   *
   * @throws ApiError organizationNotFound when it was deleted, with its APIs, since the request was authorized
   */
  listOf(caller: Account, organization: OrganizationRecord, query: SearchablePageQuery): Promise<Page<ApiRecord>> {
    const filter: QueryFilter<Api> = { organizationId: organization._id };
    const seesAll = caller.isAdmin || organization.managers.some(({ _id }) => _id.equals(caller._id));
    if (!seesAll) filter.isPublic = true;
    const parent = { model: this.organizations, _id: organization._id, notFound: 'organizationNotFound' } as const;
    return findPage(this.apis, filter, query, parent);
  }

  /**
   * Creates an API of an Organization, which counts its APIs in the same transaction.
   *
   * @throws ApiError tooMany, apiNameTaken, concurrentChange
   */
  create(organization: ForUpdate<OrganizationRecord>, body: ApiInput): Promise<ApiRecord> {
    const _id = new Types.ObjectId();
    return organization.write((record) =>
      this.writeNamed({ _id, organizationId: record._id, name: body.name }, undefined, (slugs) => {
        const fields = { _id, organizationId: record._id, ...body, ...slugs, createdBy: organization.account._id };
        const api = newRecord(ApiSchema, fields);
        return this.transactions.attempt(async () => {
          if (!(await this.countOneMore(record))) return undefined;
          await insertOne(this.apis, api);
          return api;
        });
      }),
    );
  }

  /**
   * Replaces an API's fields (contract §2: field errors, 412, nothing to do, conflicts). One that becomes private is no
   * longer featured, in the same transaction.
   *
   * @throws ApiError preconditionFailed, apiNameTaken, concurrentChange
   */
  update(api: ForUpdate<ApiRecord>, body: ApiInput): Promise<ApiRecord> {
    return api.write(async (record) => {
      api.requireMatch();
      const changed = changedFields(ApiSchema, record, body);
      if (Object.keys(changed).length === 0) return record;
      const write = (slugs?: Slugs): Promise<ApiRecord | undefined> => {
        const updatedAt = new Date();
        return this.writer.update(this.apis, record, {
          set: { ...changed, ...slugs, updatedAt },
          ...(changed.isPublic === false && { alongside: () => this.unfeature(record, updatedAt) }),
        });
      };
      if (changed.name === undefined) return write();
      const own = await this.apis.findOne({ _id: record._id }, { slug: 1, slugs: 1 }).lean();
      if (!own) return undefined;
      const { _id, organizationId } = record;
      return this.writeNamed({ _id, organizationId, name: body.name }, own, write);
    });
  }

  /**
   * Deletes an API, removes it from the featured ones of its Organization, and lowers its count. Its slugs become free.
   *
   * @throws ApiError preconditionFailed, concurrentChange
   */
  async remove(api: ForUpdate<ApiRecord>): Promise<void> {
    await api.write((record) => {
      api.requireMatch();
      return this.writer.remove(this.apis, record, async () => {
        await this.unfeature(record, new Date());
        await this.organizations.updateOne({ _id: record.organizationId }, { $inc: { apiCount: -1 } });
      });
    });
  }

  /** Public APIs, and those of the Organizations among these that the caller manages. */
  private async visibleTo(caller: Account, among: { _id?: Types.ObjectId }): Promise<QueryFilter<Api>[]> {
    const managed = await this.organizations.find({ ...among, 'managers._id': caller._id }, { _id: 1 }).lean();
    const organizationIds = managed.map(({ _id }) => _id);
    return [{ isPublic: true }, { organizationId: { $in: organizationIds } }];
  }

  /**
   * Counts one more API. This writes the Organization, as every new reference does (docs/adr/0002).
   *
   * @returns false when the Organization has changed since it was read
   * @throws ApiError tooMany
   */
  private async countOneMore({ _id, revision }: OrganizationRecord): Promise<boolean> {
    const hasRoom = { _id, revision, apiCount: { $lt: MAX_APIS } };
    if (await updateOne(this.organizations, hasRoom, { $inc: { apiCount: 1, referenceCount: 1 } })) return true;
    if (!(await this.organizations.exists({ _id, revision }))) return false;
    throw apiError('tooMany', `The Organization has reached its limit of ${MAX_APIS.toLocaleString('en-US')} APIs.`);
  }

  /**
   * Removes an API from the featured ones of its Organization, which shows the change (contract §3 Organization). To be
   * called inside the transaction that makes the API private or deletes it: featuring it at the same time writes
   * the API too, so one of the two gets a write conflict.
   */
  private async unfeature(api: ApiRecord, updatedAt: Date): Promise<void> {
    const change = { $pull: { featuredApiIds: api._id }, $inc: { revision: 1 }, $set: { updatedAt } };
    await this.organizations.updateOne({ _id: api.organizationId, featuredApiIds: api._id }, change);
  }

  /**
   * Writes an API under its name: the slugs of the name are free, and the name is unique in its Organization.
   *
   * @param own the API's current slugs; none for a new one
   * @param write may run several times
   * @throws ApiError apiNameTaken, concurrentChange
   */
  private writeNamed<T>(
    api: Pick<Api, '_id' | 'organizationId' | 'name'>,
    own: Slugs | undefined,
    write: (slugs: Slugs) => Promise<T>,
  ): Promise<T> {
    const refuse = (): Promise<void> => refuseTaken(this.apis, api);
    return writeUnderSlug({ model: this.apis, name: api.name, fallback: 'api', own, write, refuseTaken: refuse });
  }
}

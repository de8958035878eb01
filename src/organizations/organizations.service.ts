import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { ForUpdate } from '../auth/for-update';
import { Settings } from '../config/settings';
import { changedFields, newRecord } from '../database/derived-fields';
import { insertOne } from '../database/driver-writes';
import { refuseTaken } from '../database/duplicate-key';
import { findPage } from '../database/find-page';
import { RecordWriter } from '../database/record-writer';
import { addReference } from '../database/references';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { FieldError, fieldError, invalidContent } from '../errors/field-error';
import { FilesService } from '../files/files.service';
import type { Page } from '../http/page';
import type { Slugs } from '../slugs/slug.schema';
import { writeUnderSlug } from '../slugs/write-under-slug';
import { User } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import type { FeaturedApis } from './featured-apis';
import { OrganizationInput, OrganizationQuery } from './organization.dto';
import { Organization, OrganizationRecord, OrganizationSchema } from './organization.schema';

/** How many Organizations the message of a 409 names at most. */
const MAX_NAMED = 10;

/** Work that another module adds to the deletion of an Organization. It runs in the same transaction. */
type DeletionStep = (organization: OrganizationRecord) => PromiseLike<unknown>;

/** `/organizations` (contract §4). */
@Injectable()
export class OrganizationsService implements OnModuleInit {
  private readonly deletionSteps: DeletionStep[] = [];
  private featuredApis!: FeaturedApis;

  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly usersService: UsersService,
    private readonly files: FilesService,
    private readonly transactions: Transactions,
    private readonly writer: RecordWriter,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.usersService.onDelete(({ _id }) => this.removeManagerEverywhere(_id));
  }

  /** Every account sees all Organizations (contract §4). `slug` finds by old slugs too. */
  list(query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    const filter: QueryFilter<Organization> = {};
    if (query.slug !== undefined) filter['slugs.text'] = query.slug;
    if (query.managerId !== undefined) filter['managers._id'] = new Types.ObjectId(query.managerId);
    return findPage(this.organizations, filter, query);
  }

  /**
   * Creates an Organization; the caller becomes its first manager.
   *
   * @throws InvalidContentError namesNothing; ApiError organizationNameTaken, tooMany, accountGone, concurrentChange
   */
  create(caller: Account, body: OrganizationInput): Promise<OrganizationRecord> {
    const _id = new Types.ObjectId();
    const managers = [{ _id: caller._id, createdBy: caller._id, createdAt: new Date() }];
    return this.writeNamed(_id, body.name, async (slugs) => {
      const fields = { _id, ...body, ...slugs, managers, createdBy: caller._id };
      const organization = newRecord(OrganizationSchema, fields);
      return this.transactions.run(async () => {
        // The caller first: if they were deleted, so was the file for the logo.
        if (!(await addReference(this.users, { _id: caller._id }))) throw apiError('accountGone');
        await this.writeReferences(caller, { _id }, body);
        await this.checkQuota(caller);
        await insertOne(this.organizations, organization);
        return organization;
      });
    });
  }

  /**
   * Replaces an Organization's fields (contract §2: field errors, 412, nothing to do, conflicts).
   *
   * @throws InvalidContentError namesNothing; ApiError preconditionFailed, organizationNameTaken, concurrentChange
   */
  update(organization: ForUpdate<OrganizationRecord>, body: OrganizationInput): Promise<OrganizationRecord> {
    const { account } = organization;
    return organization.write(async (record) => {
      const check = (): Promise<FieldError[]> => this.checkReferences(account, record, body);
      const fieldErrors = await check();
      if (fieldErrors.length > 0) return this.refuseReferences(record, fieldErrors);
      organization.requireMatch();
      const changed = changedFields(OrganizationSchema, record, body);
      if (Object.keys(changed).length === 0) return record;
      const hasReferences = changed.featuredApiIds !== undefined || changed.organizationLogoFileId !== undefined;
      const write = (slugs?: Slugs): Promise<OrganizationRecord | undefined> =>
        this.writer.update(this.organizations, record, {
          set: { ...changed, ...slugs },
          ...(hasReferences && { alongside: () => this.writeReferences(account, record, body) }),
        });
      if (changed.name === undefined) return write();
      const own = await this.organizations.findOne({ _id: record._id }, { slug: 1, slugs: 1 }).lean();
      if (!own) return undefined;
      return this.writeNamed(record._id, body.name, write, { own, check });
    });
  }

  /**
   * Deletes an Organization with all that belongs to it, in one transaction. Its slugs become free. Creating an
   * API at the same time writes the Organization too, so one of the two gets a write conflict.
   *
   * @throws ApiError preconditionFailed, concurrentChange
   */
  async remove(organization: ForUpdate<OrganizationRecord>): Promise<void> {
    await organization.write((record) => {
      organization.requireMatch();
      return this.writer.remove(this.organizations, record, async () => {
        const { _id, organizationLogoFileId: logo } = record;
        if (logo) await this.files.removeLogo(_id, logo);
        for (const step of this.deletionSteps) await step(record);
      });
    });
  }

  /** Adds work to the deletion of an Organization, for modules whose records belong to one. */
  onDelete(step: DeletionStep): void {
    this.deletionSteps.push(step);
  }

  /** Says how `featuredApiIds` are checked; called once, by the module that knows the APIs. */
  useFeaturedApis(featuredApis: FeaturedApis): void {
    this.featuredApis = featuredApis;
  }

  /**
   * To be called inside a transaction that writes the caller's User, so two of one User cannot both count the same
   * Organizations.
   *
   * @throws ApiError tooMany
   */
  private async checkQuota(caller: Account): Promise<void> {
    const { organizationsPerUser: quota } = this.settings;
    if (caller.isAdmin || quota === 0) return;
    const created = await this.organizations.countDocuments({ createdBy: caller._id }, { limit: quota });
    if (created >= quota) throw apiError('tooMany', `You have reached your limit of ${quota} Organizations.`);
  }

  /** The field errors of the references that a body adds; reported before If-Match is looked at (contract §2). */
  private async checkReferences(
    caller: Account,
    record: OrganizationRecord,
    body: OrganizationInput,
  ): Promise<FieldError[]> {
    const { organizationLogoFileId: logo } = body;
    const isNewLogo = logo !== null && logo !== record.organizationLogoFileId?.toHexString();
    const isRefused = isNewLogo && !(await this.files.isAttachable(caller, logo));
    const featured = await this.featuredApis.check(record, body.featuredApiIds);
    return [...featured, ...(isRefused ? [unusableLogo()] : [])];
  }

  /**
   * Refuses references, unless the Organization has changed since it was read: if it was deleted, so was what they name.
   *
   * @returns undefined, to try again
   */
  private async refuseReferences(
    { _id, revision }: OrganizationRecord,
    fieldErrors: readonly FieldError[],
  ): Promise<undefined> {
    if (await this.organizations.exists({ _id, revision })) throw invalidContent(...fieldErrors);
    return undefined;
  }

  /**
   * Writes the records that a body newly refers to. To be called inside the transaction that writes the Organization.
   *
   * @param record the Organization; only its id while it is being created
   * @throws InvalidContentError namesNothing, when a record that was checked before no longer exists
   */
  private async writeReferences(
    caller: Account,
    record: Pick<OrganizationRecord, '_id'> & Partial<OrganizationRecord>,
    body: OrganizationInput,
  ): Promise<void> {
    const fieldErrors = await this.featuredApis.addReferences(record, body.featuredApiIds);
    const [before = null, logo] = [record.organizationLogoFileId, body.organizationLogoFileId];
    if (logo !== (before?.toHexString() ?? null)) {
      if (before) await this.files.detach(before, record._id);
      const isAttached = logo === null || (await this.files.attach(caller, logo, record._id));
      if (!isAttached) fieldErrors.push(unusableLogo());
    }
    if (fieldErrors.length > 0) throw invalidContent(...fieldErrors);
  }

  /**
   * Writes an Organization under its name: the slugs of the name are free, and the name is unique.
   *
   * @param own its present slugs
   * @param check finds field errors again: the other request may have taken the logo too, and field errors come first
   */
  private writeNamed<T>(
    _id: Types.ObjectId,
    name: string,
    write: (slugs: Slugs) => Promise<T>,
    { own, check }: { own?: Slugs; check?: () => Promise<FieldError[]> } = {},
  ): Promise<T> {
    const refuse = (): Promise<void> =>
      refuseTaken(this.organizations, { _id, name }).catch(async (conflict: unknown) => {
        const fieldErrors = (await check?.()) ?? [];
        throw fieldErrors.length > 0 ? invalidContent(...fieldErrors) : conflict;
      });
    const model = this.organizations;
    return writeUnderSlug({ model, name, fallback: 'organization', own, write, refuseTaken: refuse });
  }

  /**
   * Removes a User who is being deleted from the managers of all Organizations, in the same transaction.
   *
   * @throws ApiError lastManager, which names the Organizations
   */
  private async removeManagerEverywhere(userId: Types.ObjectId): Promise<void> {
    const managed = { 'managers._id': userId };
    const managing = await this.organizations.find(managed).lean();
    const names = managing.filter(({ managers }) => managers.length === 1).map(({ name }) => name);
    if (names.length > 0) {
      const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
      const list = names.slice(0, MAX_NAMED).join(', ');
      throw apiError('lastManager', `The User is the last Manager of: ${list}${more}.`);
    }
    if (managing.length === 0) return;
    const change = { $pull: { managers: { _id: userId } }, $inc: { revision: 1 }, $set: { updatedAt: new Date() } };
    await this.organizations.updateMany(managed, change);
  }
}

function unusableLogo(): FieldError {
  return fieldError('namesNothing', 'organizationLogoFileId');
}

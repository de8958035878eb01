import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { Settings } from '../../platform/base/settings/settings';
import { OnDelete } from '../../platform/records/declarations';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import { FieldError, fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { FilesService } from '../files/files.service';
import type { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { ME } from '../../platform/http/record-id';
import { User, type UserRecord } from '../users/user.schema';
import { managerIdsOf } from './organization-ownership';
import { OrganizationInput, OrganizationQuery } from './organization.dto';
import { Organization, OrganizationRecord } from './organization.schema';

/** How many Organizations the message of a 409 names at most. */
const MAX_NAMED = 10;

/** An Organization that is being written; only its id while it is being created. */
type Written = Pick<OrganizationRecord, '_id'> & Partial<OrganizationRecord>;

/** `/organizations` (contract §4). */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly files: FilesService,
    private readonly settings: Settings,
  ) {}

  @Loads('organizations/:id', { description: 'The Organization', notFound: 'organizationNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.organizations.get(id);
    return record && { record, ownership: { managerIds: managerIdsOf(record) } };
  }

  /** Every account sees all Organizations (contract §4). `slug` finds by old slugs too. */
  list(caller: Account, query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    const { name, slug, managerId } = query;
    const filter = { name, 'slugs.text': slug, 'managers._id': managerId === ME ? caller._id : managerId };
    return this.organizations.page(query, filter);
  }

  /**
   * Creates an Organization; the caller becomes its first manager.
   * @throws InvalidContentError changedElsewhere, namesNothing; ApiError organizationNameTaken, tooMany, accountGone
   */
  async create(caller: Account, { managerIds, ...body }: OrganizationInput): Promise<OrganizationRecord> {
    requirePresent(managerIds, [caller._id]);
    const _id = new Types.ObjectId();
    // The caller first: if they were deleted, so was the file for the logo.
    if (!(await this.users.addReference({ _id: caller._id }))) throw apiError('accountGone');
    await this.writeReferences(caller, { _id }, body);
    await this.checkQuota(caller);
    const managers = [{ _id: caller._id, createdBy: caller._id, createdAt: new Date() }];
    return this.organizations.insert({ _id, ...body, managers, createdBy: caller._id });
  }

  /**
   * Replaces an Organization's fields (contract §2: field errors, 412, nothing to do, conflicts).
   * @throws InvalidContentError changedElsewhere, namesNothing; ApiError preconditionFailed, organizationNameTaken
   */
  async update(
    caller: Account,
    organization: OrganizationRecord,
    ifMatch: Precondition,
    { managerIds, ...body }: OrganizationInput,
  ): Promise<OrganizationRecord> {
    // Managers may have joined since the record that a stale If-Match is about.
    if (ifMatch.allows(organization)) requirePresent(managerIds, managerIdsOf(organization));
    const changes = this.organizations.changes(organization, body);
    await this.writeReferences(caller, organization, changes);
    ifMatch.require(organization);
    return this.organizations.update(organization, changes);
  }

  /** Deletes an Organization with its logo and all that belongs to it. @throws ApiError preconditionFailed */
  async remove(organization: OrganizationRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(organization);
    await this.organizations.remove(organization);
    await this.files.removeLogo(organization);
  }

  /** Removes an API from the featured ones of its Organization, which shows the change (contract §3 Organization). */
  async unfeature(organizationId: Types.ObjectId, apiId: Types.ObjectId): Promise<void> {
    const featuring = { _id: organizationId, featuredApiIds: apiId };
    await this.organizations.updateAll(featuring, { $pull: { featuredApiIds: apiId } });
  }

  /** Removes a User who is being deleted from all Organizations. @throws ApiError lastManager, which names them */
  @OnDelete(User)
  async removeManager({ _id }: UserRecord): Promise<void> {
    const managed = { 'managers._id': _id };
    const managing = await this.organizations.find(managed);
    const onlyTheirs = managing.filter(({ managers }) => managers.length === 1);
    const names = onlyTheirs
      .sort((one, other) => String(one._id).localeCompare(String(other._id)))
      .map(({ name }) => name);
    if (names.length > 0) {
      const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
      const list = names.slice(0, MAX_NAMED).join(', ');
      throw apiError('lastManager', `The User is the last Manager of: ${list}${more}.`);
    }
    await this.organizations.updateAll(managed, { $pull: { managers: { _id } } });
  }

  /** To be called after the caller was written, so two requests cannot both count the same. @throws ApiError tooMany */
  private async checkQuota(caller: Account): Promise<void> {
    const { organizationsPerUser: quota } = this.settings;
    if (caller.isAdmin || quota === 0) return;
    const created = await this.organizations.count({ createdBy: caller._id }, quota);
    if (created >= quota) throw apiError('tooMany', `You have reached your limit of ${quota} Organizations.`);
  }

  /** Checks and writes the records that a write newly refers to. @throws InvalidContentError namesNothing */
  private async writeReferences(
    caller: Account,
    organization: Written,
    { featuredApiIds, organizationLogoFileId: logo }: Partial<OrganizationRecord | OrganizationInput>,
  ): Promise<void> {
    const fieldErrors: FieldError[] = [];
    if (featuredApiIds)
      fieldErrors.push(...(await this.organizations.checkReferences(organization, { featuredApiIds })));
    if (logo !== undefined && !(await this.files.replaceLogo(caller, organization, logo))) {
      fieldErrors.push(fieldError('namesNothing', 'organizationLogoFileId'));
    }
    if (fieldErrors.length > 0) throw invalidContent(...fieldErrors);
  }
}

/** Managers are changed one by one; a body may repeat them, in any order. @throws InvalidContentError changedElsewhere */
function requirePresent(sent: unknown, present: readonly Types.ObjectId[]): void {
  if (sent === undefined) return;
  const ids = present.map(String);
  if (Array.isArray(sent) && sent.length === ids.length && ids.every((id) => sent.includes(id))) return;
  throw invalidContent(fieldError('changedElsewhere', 'managerIds', 'is changed under /organizations/:id/managers'));
}

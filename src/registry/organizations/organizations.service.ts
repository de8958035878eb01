import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { Settings } from '../../platform/base/settings/settings';
import { InjectRecords, Records } from '../../platform/records/records';
import { type ApiError, apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { FilesService } from '../files/files.service';
import type { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { ME } from '../../platform/http/record-id';
import type { ReferenceChecks } from '../../platform/records/writes/add-references';
import { NOT_SUSPENDED, User, type UserRecord } from '../users/user.schema';
import { UsersService } from '../users/users.service';
import { OrganizationInput, OrganizationQuery } from './organization.dto';
import { managerIdsOf, Organization, OrganizationRecord } from './organization.schema';

/** How many Organizations the message of a 409 names at most. */
const MAX_NAMED = 10;

/** `/organizations` (contract §4). */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    private readonly files: FilesService,
    private readonly settings: Settings,
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    usersService: UsersService,
  ) {
    usersService.beforeRemoval((user) => this.keepManagers(user));
  }

  @Loads('organizations/:id', { description: 'The Organization', notFound: 'organizationNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.organizations.get(id);
    return record && { record, ownership: { managerIds: managerIdsOf(record) } };
  }

  /** Every account sees all Organizations (contract §4). `slug` finds by old slugs too. */
  list(caller: Account, query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    const { name, slug, externalId, managerId } = query;
    const manages = managerId === ME ? caller._id : managerId;
    return this.organizations.page(query, { name, externalId, 'slugs.text': slug, 'managers._id': manages });
  }

  /** Creates an Organization; the caller becomes its first manager. */
  async create(caller: Account, { managerIds, ...body }: OrganizationInput): Promise<OrganizationRecord> {
    requirePresent(managerIds, [caller._id]);
    const _id = new Types.ObjectId();
    const managers = [{ _id: caller._id, createdBy: caller._id, createdAt: new Date() }];
    const own = { _id, managers, createdBy: caller._id };
    const attach = this.attachLogo(caller, _id, null);
    if (!caller.isAdmin && body.externalId) {
      // Field errors about references come before the 403 (contract §1.1).
      await this.organizations.changes({ _id } as OrganizationRecord, body, attach);
      throw externalIdForbidden();
    }
    const organization = await this.organizations.insert(body, own, attach);
    await this.checkQuota(caller);
    return organization;
  }

  /** Replaces an Organization's fields (contract §1.1: field errors, 403, 412, nothing to do, conflicts). */
  async update(
    caller: Account,
    organization: OrganizationRecord,
    ifMatch: Precondition,
    { managerIds, ...body }: OrganizationInput,
  ): Promise<OrganizationRecord> {
    // Managers may have joined since the record that a stale If-Match is about.
    if (ifMatch.allows(organization)) requirePresent(managerIds, managerIdsOf(organization));
    const { _id, organizationLogoFileId } = organization;
    const attach = this.attachLogo(caller, _id, organizationLogoFileId);
    const changes = await this.organizations.changes(organization, body, attach);
    if (!caller.isAdmin && changes.externalId !== undefined) throw externalIdForbidden();
    ifMatch.require(organization);
    return this.organizations.update(organization, changes);
  }

  /** Deletes an Organization with its logo and all that belongs to it. @throws ApiError preconditionFailed */
  async remove(organization: OrganizationRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(organization);
    await this.organizations.remove(organization);
  }

  /** The Organizations that this Manager cannot leave: no other Manager stays or, unless this one is suspended, none who is not. */
  async dependingOn(
    { _id, isSuspended }: UserRecord,
    organizations: OrganizationRecord[],
  ): Promise<OrganizationRecord[]> {
    const others = new Set(organizations.flatMap(managerIdsOf).map(String));
    others.delete(String(_id));
    const filter = { _id: { $in: [...others] }, ...(isSuspended ? {} : NOT_SUSPENDED) };
    const staying = new Set((await this.users.find(filter, { only: ['_id'] })).map((user) => String(user._id)));
    return organizations.filter(({ managers }) => !managers.some((manager) => staying.has(String(manager._id))));
  }

  /** A User who is deleted is nowhere the last Manager. @throws ApiError lastManager, which names the Organizations */
  private async keepManagers(user: UserRecord): Promise<void> {
    const managing = await this.organizations.find({ 'managers._id': user._id });
    const onlyTheirs = await this.dependingOn(user, managing);
    const names = onlyTheirs
      .sort((one, other) => String(one._id).localeCompare(String(other._id)))
      .map(({ name }) => name);
    if (names.length === 0) return;
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    const list = names.slice(0, MAX_NAMED).join(', ');
    throw apiError('lastManager', `The User is the last Manager, without those who are suspended, of: ${list}${more}.`);
  }

  /** Counts the new one too. @throws ApiError tooMany */
  private async checkQuota(caller: Account): Promise<void> {
    const { organizationsPerUser: quota } = this.settings;
    if (caller.isAdmin || quota === 0) return;
    const created = await this.organizations.count({ createdBy: caller._id }, quota + 1);
    if (created > quota) throw apiError('tooMany', `You have reached your limit of ${quota} Organizations.`);
  }

  /** Makes the File that a body names the logo: one of the caller that no other Organization has. */
  private attachLogo(caller: Account, _id: Types.ObjectId, before: Types.ObjectId | null): ReferenceChecks {
    return { organizationLogoFileId: (id) => this.files.replaceLogo(caller, _id, before, id) };
  }
}

function externalIdForbidden(): ApiError {
  return apiError('forbidden', 'Only an Admin may set an externalId.');
}

/** Managers are changed one by one; a body may repeat them, in any order. @throws InvalidContentError changedElsewhere */
function requirePresent(sent: unknown, present: readonly Types.ObjectId[]): void {
  if (sent === undefined) return;
  const ids = present.map(String);
  if (Array.isArray(sent) && sent.length === ids.length && ids.every((id) => sent.includes(id))) return;
  throw invalidContent(fieldError('changedElsewhere', 'managerIds', 'is changed under /organizations/:id/managers'));
}

import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { ChecksReference, OnDelete } from '../../platform/records/declarations';
import { InjectRecords, Records } from '../../platform/records/records';
import { apiError } from '../../platform/base/errors/api-error';
import { FieldError, fieldError, invalidContent } from '../../platform/base/errors/field-error';
import type { Precondition } from '../../platform/http/responses/etag';
import type { Page } from '../../platform/records/reads/page';
import { MAX_APIS, Organization, type OrganizationRecord } from '../organizations/organization.schema';
import { organizationOwnership } from '../organizations/organization-ownership';
import { OrganizationsService } from '../organizations/organizations.service';
import { ApiInput, ApiQuery, OrganizationApiQuery } from './api.dto';
import { Api, ApiRecord } from './api.schema';

/** `/apis` and `/organizations/:id/apis` (contract §4). */
@Injectable()
export class ApisService {
  constructor(
    @InjectRecords(Api.name) private readonly apis: Records<ApiRecord>,
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    private readonly organizationsService: OrganizationsService,
  ) {}

  @Loads('apis/:id', { description: 'The API', notFound: 'apiNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.apis.get(id);
    const ownership = record && (await organizationOwnership(this.organizations, record));
    return ownership && { record, ownership: { ...ownership, isPublic: record.isPublic } };
  }

  /** The APIs that the caller may see: public ones and those of the Organizations that they manage; Admins see all. */
  async list(caller: Account, query: ApiQuery): Promise<Page<ApiRecord>> {
    const { organizationId, name, lifecycleStatus, tag, slug } = query;
    const $or = caller.isAdmin ? undefined : await this.visibleTo(caller, organizationId);
    return this.apis.page(query, { organizationId, name, lifecycleStatus, tags: tag, 'slugs.text': slug, $or });
  }

  /**
   * The APIs of one Organization that the caller may see.
   * @param seesAll true for its Managers and Admins; others see the public ones
   * @throws ApiError organizationNotFound when it was deleted since the request was authorized
   */
  async listOf(seesAll: boolean, { _id }: OrganizationRecord, query: OrganizationApiQuery): Promise<Page<ApiRecord>> {
    const { name, tag } = query;
    const filter = { organizationId: _id, name, tags: tag, isPublic: seesAll ? undefined : true };
    const page = await this.apis.page(query, filter);
    if (page.records.length === 0) await this.organizations.assertExists(_id, 'organizationNotFound');
    return page;
  }

  /** Creates an API of an Organization, which counts its APIs. @throws ApiError tooMany, apiNameTaken */
  async create(caller: Account, organization: OrganizationRecord, body: ApiInput): Promise<ApiRecord> {
    const { _id, revision } = organization;
    const hasRoom = { _id, revision, apiCount: { $lt: MAX_APIS } };
    // A new reference (docs/adr/0002).
    const change = { $inc: { apiCount: 1, referenceCount: 1 } };
    if (!(await this.organizations.updateInternal(hasRoom, change))) {
      throw apiError('tooMany', `The Organization has reached its limit of ${MAX_APIS.toLocaleString('en-US')} APIs.`);
    }
    const definitionType = body.definitionUrl ? body.definitionType : null;
    return this.apis.insert({ ...body, definitionType, organizationId: _id, createdBy: caller._id });
  }

  /** Replaces an API's fields; a private one is not featured. @throws InvalidContentError; ApiError preconditionFailed, apiNameTaken */
  async update(api: ApiRecord, ifMatch: Precondition, body: ApiInput): Promise<ApiRecord> {
    const changes = this.changes(api, body);
    ifMatch.require(api);
    if (changes.isPublic === false) await this.organizationsService.unfeature(api.organizationId, api._id);
    return this.apis.update(api, changes);
  }

  /** Deletes an API; its Organization no longer features or counts it. @throws ApiError preconditionFailed */
  async remove(api: ApiRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(api);
    await this.apis.remove(api);
    await this.organizationsService.unfeature(api.organizationId, api._id);
    await this.organizations.updateInternal({ _id: api.organizationId }, { $inc: { apiCount: -1 } });
  }

  /** The APIs of an Organization are deleted with it. */
  @OnDelete(Organization)
  async removeAllOf({ _id }: OrganizationRecord): Promise<void> {
    await this.apis.removeAll({ organizationId: _id });
  }

  /**
   * An Organization features public APIs of its own (contract §3 Organization). Those that it already features need no
   * check: an API that becomes private or is deleted leaves them.
   */
  @ChecksReference(Organization, 'featuredApiIds')
  async feature(
    { _id: organizationId, featuredApiIds = [] }: Pick<OrganizationRecord, '_id'> & Partial<OrganizationRecord>,
    ids: readonly (Types.ObjectId | string)[],
  ): Promise<FieldError[]> {
    const featured = new Set(featuredApiIds.map(String));
    for (const [index, id] of ids.map(String).entries()) {
      if (featured.has(id) || (await this.apis.addReference({ _id: id, organizationId, isPublic: true }))) continue;
      return [fieldError('namesNothing', `featuredApiIds.${index}`, 'is not a public API of this Organization')];
    }
    return [];
  }

  /** What a PUT changes. The type of a definition goes with its URL. @throws InvalidContentError missing */
  private changes(api: ApiRecord, body: ApiInput): Partial<ApiRecord> {
    const url = body.definitionUrl === undefined ? api.definitionUrl : body.definitionUrl;
    const changes = this.apis.changes(api, url ? body : { ...body, definitionType: null });
    if (url && !{ ...api, ...changes }.definitionType)
      throw invalidContent(fieldError('missing', 'definitionType', 'is required with definitionUrl'));
    return changes;
  }

  /** Public APIs, and those of the Organizations that the caller manages; of one Organization, if it is given. */
  private async visibleTo(caller: Account, organizationId: string | undefined): Promise<object[]> {
    const among = organizationId === undefined ? {} : { _id: organizationId };
    const managed = await this.organizations.find({ ...among, 'managers._id': caller._id }, { only: ['_id'] });
    return [{ isPublic: true }, { organizationId: { $in: managed.map(({ _id }) => _id) } }];
  }
}

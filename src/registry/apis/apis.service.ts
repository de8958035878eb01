import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { NEVER } from '../../platform/records/schema/derived-fields';
import { InjectRecords, Records } from '../../platform/records/records';
import { AllRecords } from '../../platform/records/records.module';
import type { Precondition } from '../../platform/http/responses/etag';
import { ME } from '../../platform/http/record-id';
import type { Page } from '../../platform/records/reads/page';
import { managerIdsOf, Organization, type OrganizationRecord } from '../organizations/organization.schema';
import { ApiInput, ApiQuery, OrganizationApiQuery } from './api.dto';
import { Api, ApiRecord } from './api.schema';

/** `/apis` and `/organizations/:id/apis` (contract §4). */
@Injectable()
export class ApisService {
  constructor(
    @InjectRecords(Api.name) private readonly apis: Records<ApiRecord>,
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
    private readonly records: AllRecords,
  ) {}

  @Loads('apis/:id', { description: 'The API', notFound: 'apiNotFound' })
  async load(id: string): Promise<LoadedResource | undefined> {
    const record = await this.apis.get(id);
    const organization = record && (await this.organizations.get(record.organizationId));
    if (!organization) return undefined;
    const { isPublic, acceptsConsumers = true } = record;
    return { record, ownership: { managerIds: managerIdsOf(organization), isPublic, acceptsConsumers } };
  }

  /** The APIs that the caller may see: public ones and those of the Organizations that they manage; Admins see all. */
  async list(caller: Account, query: ApiQuery): Promise<Page<ApiRecord>> {
    const { managerId, consumerId } = query;
    const among = query.organizationId;
    const $or = caller.isAdmin || managerId === ME ? undefined : await this.visibleTo(caller, among);
    const manager = managerId === ME ? caller._id : managerId;
    const organizationId = manager === undefined ? among : { $in: await this.managedBy(manager, among) };
    const _id = consumerId === undefined ? undefined : await this.usedBy(consumerId);
    return this.apis.page(query, { _id, organizationId, ...filterOf(query), $or });
  }

  /**
   * The APIs of one Organization that the caller may see.
   * @param seesAll true for its Managers and Admins; others see the public ones
   * @throws ApiError organizationNotFound when it was deleted since the request was authorized
   */
  async listOf(seesAll: boolean, { _id }: OrganizationRecord, query: OrganizationApiQuery): Promise<Page<ApiRecord>> {
    const filter = { organizationId: _id, ...filterOf(query), isPublic: seesAll ? undefined : true };
    const page = await this.apis.page(query, filter);
    if (page.records.length === 0) await this.organizations.assertExists(_id, 'organizationNotFound');
    return page;
  }

  /** Creates an API of an Organization. @throws ApiError tooMany, apiNameTaken, apiExternalIdTaken */
  create(caller: Account, { _id: organizationId }: OrganizationRecord, body: ApiInput): Promise<ApiRecord> {
    return this.apis.insert(withDefinition(body), { organizationId, createdBy: caller._id });
  }

  /** Replaces an API's fields; a private one is not featured. */
  async update(api: ApiRecord, ifMatch: Precondition, body: ApiInput): Promise<ApiRecord> {
    const changes = await this.apis.changes(api, withDefinition(body));
    ifMatch.require(api);
    if (changes.isPublic === false) await this.unfeature(api);
    return this.apis.update(api, changes);
  }

  /** Deletes an API, which its Organization no longer features. @throws ApiError preconditionFailed */
  async remove(api: ApiRecord, ifMatch: Precondition): Promise<void> {
    ifMatch.require(api);
    await this.apis.remove(api);
  }

  /** The Organization shows the change (contract §3 Organization). */
  private async unfeature({ _id, organizationId }: ApiRecord): Promise<void> {
    const featuring = { _id: organizationId, featuredApiIds: _id };
    await this.organizations.updateAll(featuring, { $pull: { featuredApiIds: _id } });
  }

  /** The APIs that an Organization uses: at most 1,000. */
  private async usedBy(consumerId: string): Promise<{ $in: Types.ObjectId[] }> {
    const consumers = this.records.of('Consumer');
    const used = await consumers.find<{ apiId: Types.ObjectId }>({ consumerId }, { only: ['apiId'] });
    return { $in: used.map(({ apiId }) => apiId) };
  }

  /** Public APIs, and those of the Organizations that the caller manages; of one Organization, if it is given. */
  private async visibleTo(caller: Account, organizationId: string | undefined): Promise<object[]> {
    return [{ isPublic: true }, { organizationId: { $in: await this.managedBy(caller._id, organizationId) } }];
  }

  /** The Organizations that a User manages: at most 1,000; this one alone, if it is given. */
  private async managedBy(
    userId: Types.ObjectId | string,
    organizationId: string | undefined,
  ): Promise<Types.ObjectId[]> {
    const among = organizationId === undefined ? {} : { _id: organizationId };
    const managed = await this.organizations.find({ ...among, 'managers._id': userId }, { only: ['_id'] });
    return managed.map(({ _id }) => _id);
  }
}

/** The type of a definition goes with its URL (contract §3 Api). */
function withDefinition(body: ApiInput): ApiInput {
  return body.definitionUrl === null ? { ...body, definitionType: null } : body;
}

const NO_CONTACT = { contactName: null, contactEmail: null, contactPhone: null, contactUrl: null };

/** The filters that both lists take. */
function filterOf({ name, tag, lifecycleStatus, slug, ...query }: OrganizationApiQuery): object {
  const { sunsetBefore, sunsetAfter, updatedBefore, hasContact, successorId, externalId } = query;
  const hasEnd = sunsetBefore !== undefined || sunsetAfter !== undefined;
  const from = sunsetAfter === undefined ? {} : { $gte: new Date(sunsetAfter) };
  const sunsetTime = { ...from, $lt: sunsetBefore === undefined ? NEVER : new Date(sunsetBefore) };
  const updatedAt = updatedBefore === undefined ? undefined : { $lt: new Date(updatedBefore) };
  return {
    ...{ name, tags: tag, lifecycleStatus, 'slugs.text': slug, updatedAt, successorId, externalId },
    ...(hasEnd && { sunsetTime }),
    ...(hasContact === false && NO_CONTACT),
    ...(hasContact === true && { $nor: [NO_CONTACT] }),
  };
}

import { Injectable } from '@nestjs/common';
import type { Account } from '../../platform/http/access/account';
import { type LoadedResource, Loads } from '../../platform/http/access/resources';
import { apiError } from '../../platform/base/errors/api-error';
import { fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { isFoundBy } from '../../platform/records/schema/derived-fields';
import { InjectRecords, Records } from '../../platform/records/records';
import { type Page, pageById } from '../../platform/records/reads/page';
import { etagOfBody, type Precondition } from '../../platform/http/responses/etag';
import { toResponse } from '../../platform/http/responses/response-fields';
import { Api, type ApiRecord } from '../apis/api.schema';
import { managerIdsOf, Organization, type OrganizationRecord } from '../organizations/organization.schema';
import {
  ConsumerDto,
  type ConsumerQuery,
  type ConsumerRecord,
  type CreateConsumerInput,
  type UpdateConsumerInput,
} from './consumer.dto';
import { Consumer, type StoredConsumer } from './consumer.schema';

/** The fields of its Organization that a Consumer shows. */
const SHOWN = { only: ['name', 'slug'] } as const;
type Shown = Pick<OrganizationRecord, '_id' | 'name' | 'slug'>;

/** The number of used APIs up to which Managers of other Organizations may add an Organization, of 1,000. */
const MAX_BY_OTHERS = 500;

/** The Consumer that a path names. */
export interface LoadedConsumer extends StoredConsumer {
  readonly organization: OrganizationRecord;
}

/** `/apis/:id/consumers` (contract §4). */
@Injectable()
export class ConsumersService {
  constructor(
    @InjectRecords(Consumer.name) private readonly consumers: Records<StoredConsumer>,
    @InjectRecords(Api.name) private readonly apis: Records<ApiRecord>,
    @InjectRecords(Organization.name) private readonly organizations: Records<OrganizationRecord>,
  ) {}

  @Loads('consumers/:consumerId', {
    description: 'The Consumer: the id of its Organization',
    notFound: 'consumerNotFound',
  })
  async load(id: string, { record: api }: LoadedResource): Promise<LoadedResource | undefined> {
    const filter = { apiId: (api as ApiRecord)._id, consumerId: id };
    const [[stored], organization] = await Promise.all([this.consumers.find(filter), this.organizations.get(id)]);
    if (!stored || !organization) return undefined;
    const record: LoadedConsumer = { ...stored, organization };
    return { record, ownership: { consumerManagerIds: managerIdsOf(organization) } };
  }

  /** At most 200, so the page is cut here. @throws ApiError apiNotFound when it was deleted since the request was authorized */
  async list({ _id: apiId }: ApiRecord, query: ConsumerQuery): Promise<Page<ConsumerRecord>> {
    const all = await this.consumers.find({ apiId });
    if (all.length === 0) await this.apis.assertExists(apiId, 'apiNotFound');
    const _id = { $in: all.map(({ consumerId }) => consumerId) };
    const named = await this.organizations.find<Shown>({ _id }, SHOWN);
    const byId = new Map(named.map((organization) => [String(organization._id), organization]));
    const { q } = query;
    const found = all.flatMap((stored) => {
      const organization = byId.get(String(stored.consumerId));
      if (!organization || (q && !isFoundBy(q, [organization.name, stored.note]))) return [];
      return withNames(stored, organization);
    });
    return pageById(found, query);
  }

  get(consumer: LoadedConsumer): ConsumerRecord {
    return withNames(consumer, consumer.organization);
  }

  /** Adds an Organization of the caller's, for Managers of the API and Admins any, to the Consumers of an API. */
  async create(caller: Account, api: ApiRecord, body: CreateConsumerInput): Promise<ConsumerRecord> {
    const { organizationId, note } = body;
    // In the transaction, which writes both Organizations: who leaves their Managers meanwhile makes it a lost race.
    const organization = await this.organizations.get(organizationId);
    if (!organization) throw invalidContent(fieldError('namesNothing', 'organizationId'));
    const isOwn = caller.isAdmin || isManager(caller, organization);
    if (!isOwn) await this.requireManager(caller, api);
    const owners = { apiId: api._id, organizationId: api.organizationId, consumerId: organization._id };
    // One that is there already does not count as one too many.
    await this.consumers.assertUnique(owners);
    if (!isOwn) await this.keepPlaces(organization);
    return withNames(await this.consumers.insert({ note }, { ...owners, createdBy: caller._id }), organization);
  }

  async update(consumer: LoadedConsumer, ifMatch: Precondition, body: UpdateConsumerInput): Promise<ConsumerRecord> {
    const changes = await this.consumers.changes(consumer, body);
    const organization = await this.requireMatch(consumer, ifMatch);
    return withNames(await this.consumers.update(consumer, changes), organization);
  }

  async remove(consumer: LoadedConsumer, ifMatch: Precondition): Promise<void> {
    await this.requireMatch(consumer, ifMatch);
    await this.consumers.remove(consumer);
  }

  private async requireManager(caller: Account, api: ApiRecord): Promise<void> {
    const organization = await this.organizations.get(api.organizationId);
    if (!organization) throw apiError('apiNotFound');
    if (isManager(caller, organization)) return;
    const managers = 'a Manager of the Organization that the body names, a Manager of the API';
    throw apiError('forbidden', `Only ${managers} or an Admin may do this.`);
  }

  /** Others must not be able to use up the places of an Organization. */
  private async keepPlaces({ _id: consumerId }: OrganizationRecord): Promise<void> {
    if ((await this.consumers.count({ consumerId }, MAX_BY_OTHERS)) < MAX_BY_OTHERS) return;
    throw apiError(
      'tooMany',
      `The Consumer uses ${MAX_BY_OTHERS} APIs: only its own Managers and Admins may add more.`,
    );
  }

  /** Compares If-Match with what a response would show now. @throws ApiError consumerNotFound, preconditionFailed */
  private async requireMatch(consumer: LoadedConsumer, ifMatch: Precondition): Promise<OrganizationRecord> {
    const organization = await this.organizations.get(consumer.consumerId);
    if (!organization) throw apiError('consumerNotFound');
    ifMatch.require(etagOfBody(toResponse(ConsumerDto, withNames(consumer, organization))));
    return organization;
  }
}

function isManager({ _id }: Account, organization: OrganizationRecord): boolean {
  return managerIdsOf(organization).some((id) => id.equals(_id));
}

function withNames(stored: StoredConsumer, { _id, name, slug }: Shown): ConsumerRecord {
  const { note, createdBy, createdAt } = stored;
  return { _id, name, slug, note, createdBy, createdAt };
}

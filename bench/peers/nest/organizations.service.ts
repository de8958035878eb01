import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { Connection, isObjectIdOrHexString, Model, Types, UpdateQuery } from 'mongoose';
import { ORGANIZATION_FIELDS } from '../shared/records.mjs';
import { PeerError, transactionOptions } from '../shared/service.mjs';
import { createOrganization, Store, updateOrganization } from '../shared/writes.mjs';
import type { OrganizationInput } from './organizations.module';
import { PageQuery, readPage } from './page-query';
import { Event, Organization, User } from './schemas';
import type { Account } from './users.module';

type Stored = Pick<Organization, 'name' | 'revision'> & { _id: Types.ObjectId };

@Injectable()
export class OrganizationsService implements Store {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Event.name) private readonly events: Model<Event>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  list(query: PageQuery): Promise<object[]> {
    return readPage(this.organizations, {}, ORGANIZATION_FIELDS, query);
  }

  async create(account: Account, body: OrganizationInput): Promise<Stored> {
    return (await createOrganization(this, account, body)) as Stored;
  }

  async update(account: Account, id: string, body: OrganizationInput, ifMatch?: string): Promise<Stored> {
    return (await updateOrganization(this, account, await this.read(id), body, ifMatch)) as Stored;
  }

  newId(): Types.ObjectId {
    return new Types.ObjectId();
  }

  async read(id: string): Promise<Stored> {
    const organization = isObjectIdOrHexString(id)
      ? await this.organizations.findById(id, ORGANIZATION_FIELDS).lean<Stored>()
      : null;
    if (!organization) throw new PeerError('notFound');
    return organization;
  }

  write({ _id, revision }: Stored, change: UpdateQuery<Organization>, event: Event): Promise<Stored | undefined> {
    return this.connection.transaction(async (session) => {
      const raised = { ...change, $inc: { revision: 1 } };
      const options = { returnDocument: 'after', projection: ORGANIZATION_FIELDS, session } as const;
      const updated = await this.organizations.findOneAndUpdate({ _id, revision }, raised, options).lean<Stored>();
      if (updated) await this.events.create([event], { session });
      return updated ?? undefined;
    }, transactionOptions);
  }

  async insert(organization: Stored, { _id }: Account, events: Event[]): Promise<void> {
    await this.connection.transaction(async (session) => {
      const { matchedCount } = await this.users.updateOne({ _id }, { $inc: { referenceCount: 1 } }, { session });
      if (matchedCount === 0) throw new PeerError('accountGone');
      await this.organizations.create([organization], { session });
      await this.events.create(events, { session, ordered: true });
    }, transactionOptions);
  }

  isTaken(nameKey: string, _id: Types.ObjectId): Promise<object | null> {
    return this.organizations.exists({ nameKey, _id: { $ne: _id } }).exec();
  }

  async highestIndex(base: string): Promise<number | undefined> {
    const highest = this.organizations.findOne({ 'slug.base': base }, { slug: 1 }).sort({ 'slug.index': -1 });
    return (await highest.lean())?.slug.index;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { Connection, isObjectIdOrHexString, Model, Types, UpdateQuery } from 'mongoose';
import {
  etagOf,
  fieldsOf,
  mayChange,
  newOrganization,
  ORGANIZATION_FIELDS,
  searchFilter,
  slugBase,
  writeAtRevision,
  writeUnderSlug,
} from '../shared/records.mjs';
import { transactionOptions } from '../shared/service.mjs';
import { httpError } from './http-error';
import type { OrganizationInput } from './organizations.module';
import { PageQuery, readPage } from './page-query';
import { Organization, User } from './schemas';
import type { Account } from './users.module';

type Stored = Pick<Organization, 'name' | 'revision'> & { _id: Types.ObjectId };
type Fields = ReturnType<typeof fieldsOf>;

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

  async get(id: string): Promise<Stored> {
    const organization = isObjectIdOrHexString(id)
      ? await this.organizations.findById(id, ORGANIZATION_FIELDS).lean<Stored>()
      : null;
    if (!organization) throw httpError('notFound');
    return organization;
  }

  list(query: PageQuery): Promise<object[]> {
    return readPage(this.organizations, query.q === undefined ? {} : searchFilter(query.q), ORGANIZATION_FIELDS, query);
  }

  async update(account: Account, id: string, body: OrganizationInput, ifMatch?: string): Promise<Stored> {
    const write = (organization: Stored): Promise<Stored | undefined> =>
      this.attempt(account, organization, body, ifMatch);
    const updated = await writeAtRevision(await this.get(id), write, () => this.get(id));
    if (!updated) throw httpError('concurrentChange');
    return updated;
  }

  /** The User and the Organization that refers to them are written in one transaction. */
  async create(account: Account, body: OrganizationInput): Promise<Stored> {
    const fields = fieldsOf(body);
    const _id = new Types.ObjectId();
    return writeUnderSlug(slugBase(fields.name), this.slugReads(fields, _id), async (slug) => {
      const organization = { _id, ...newOrganization(fields, slug, account) };
      await this.connection.transaction(async (session) => {
        const change = { $inc: { referenceCount: 1 } };
        const { matchedCount } = await this.users.updateOne({ _id: account._id }, change, { session });
        if (matchedCount === 0) throw httpError('accountGone');
        await this.organizations.create([organization], { session });
      }, transactionOptions);
      return organization;
    });
  }

  private async attempt(
    account: Account,
    organization: Stored,
    body: OrganizationInput,
    ifMatch?: string,
  ): Promise<Stored | undefined> {
    if (!mayChange(account, organization)) throw httpError('forbidden');
    if (ifMatch !== undefined && ifMatch !== etagOf(organization)) throw httpError('preconditionFailed');
    const fields = fieldsOf(body);
    if (slugBase(fields.name) === slugBase(organization.name)) {
      return this.write(organization, { $set: fields }).catch(refuseDuplicate);
    }
    const reads = this.slugReads(fields, organization._id);
    return writeUnderSlug(slugBase(fields.name), reads, (slug) =>
      this.write(organization, { $set: { ...fields, slug }, $push: { slugs: slug } }),
    );
  }

  private async write({ _id, revision }: Stored, change: UpdateQuery<Organization>): Promise<Stored | undefined> {
    const raised = { ...change, $inc: { revision: 1 } };
    const options = { returnDocument: 'after', projection: ORGANIZATION_FIELDS } as const;
    const updated = await this.organizations.findOneAndUpdate({ _id, revision }, raised, options).lean<Stored>();
    return updated ?? undefined;
  }

  private slugReads({ nameKey, name }: Fields, _id: Types.ObjectId): Parameters<typeof writeUnderSlug>[1] {
    return {
      refuseTaken: async () => {
        if (await this.organizations.exists({ nameKey, _id: { $ne: _id } })) throw httpError('nameTaken');
      },
      highestIndex: async () => {
        const highest = this.organizations.findOne({ 'slug.base': slugBase(name) }, { slug: 1 });
        return (await highest.sort({ 'slug.index': -1 }).lean())?.slug.index;
      },
    };
  }
}

function refuseDuplicate(error: Error & { code?: number }): never {
  if (error.code === 11000) throw httpError('nameTaken');
  throw error;
}

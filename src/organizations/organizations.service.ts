import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import type { Change } from '../auth/change';
import { findPage } from '../database/find-page';
import { addReference } from '../database/references';
import { rekey } from '../database/rekey';
import { searchFilter, searchText } from '../database/search';
import type { Slugged } from '../slugs/slug-allocation';
import { writeUnderSlug } from '../slugs/slug-writes';
import { Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { FieldError, invalidContent } from '../errors/field-error';
import { uniqueKey } from '../validation/case-fold';
import type { Page } from '../http/page';
import { User } from '../users/user.schema';
import { OrganizationInput, OrganizationQuery, SHOWN_ORGANIZATION, OrganizationRecord } from './organization.dto';
import { OrganizationReferences } from './organization-references';
import { Organization } from './organization.schema';

/** The base of the slug of a name that leaves nothing. */
const SLUG_FALLBACK = 'organization';

type Described = Pick<Organization, 'name' | 'url' | 'description'>;

/** The list of Organizations, POST and PUT: both write under a unique name, free slugs, and references that hold. */
@Injectable()
export class OrganizationsService {
  constructor(
    @InjectModel(Organization.name) private readonly organizations: Model<Organization>,
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly transactions: Transactions,
    private readonly references: OrganizationReferences,
  ) {}

  /** Every account sees all Organizations (contract §4). `slug` finds by old ones too. */
  list(query: OrganizationQuery): Promise<Page<OrganizationRecord>> {
    const filter: QueryFilter<Organization> = searchFilter(query.q);
    if (query.slug !== undefined) filter['slugs.text'] = query.slug;
    if (query.managerId !== undefined) filter['managers._id'] = new Types.ObjectId(query.managerId);
    return findPage<OrganizationRecord>(this.organizations, filter, SHOWN_ORGANIZATION, query);
  }

  /**
   * Creates an Organization, whose first Manager is its creator.
   *
   * @throws InvalidContent namesNothing; Failure organizationNameTaken, accountGone, concurrentChange
   */
  create(caller: Account, body: OrganizationInput): Promise<OrganizationRecord> {
    const _id = new Types.ObjectId();
    return this.writeNamed(_id, body, async (slugs) => {
      const now = new Date();
      const organization: Organization = {
        _id,
        ...describedFields(body),
        ...slugs,
        managers: [{ _id: caller._id, createdBy: caller._id, createdAt: now }],
        ...this.references.fields(body),
        apiCount: 0,
        createdBy: caller._id,
        referenceCount: 0,
        revision: 0,
        createdAt: now,
        updatedAt: now,
      };
      await this.transactions.run(async () => {
        // First the caller: with a deleted one the file that was to be the logo is gone, too.
        if (!(await addReference(this.users, { _id: caller._id }))) throw apiError('accountGone');
        await this.references.replace(caller, _id, undefined, body);
        await this.organizations.create([organization]);
      });
      return organization;
    });
  }

  /**
   * Replaces an Organization (contract §2: faults, 412, nothing to do, conflicts).
   *
   * @throws InvalidContent namesNothing; Failure preconditionFailed, organizationNameTaken, concurrentChange
   */
  update(organization: Change<OrganizationRecord>, body: OrganizationInput): Promise<OrganizationRecord> {
    return organization.write(async (record) => {
      const check = (): Promise<FieldError[]> => this.references.check(organization.account, record, body);
      const faults = await check();
      if (faults.length > 0) return this.refuse(record, faults);
      organization.requireMatch();
      if (isSame(record, body)) return record;
      const own = await this.organizations.findOne({ _id: record._id }, { slug: 1, slugs: 1 }).lean();
      if (!own) return undefined;
      const write = (slugs: Slugged): Promise<OrganizationRecord | undefined> => {
        const set = { ...describedFields(body), ...slugs, ...this.references.fields(body), updatedAt: new Date() };
        return this.write(organization.account, record, body, set);
      };
      return this.writeNamed(record._id, body, write, { own, check });
    });
  }

  /**
   * Refuses references, unless the Organization has changed since it was judged: deleted, it took what they name along.
   *
   * @returns undefined, for another judgement
   */
  private async refuse({ _id, revision }: OrganizationRecord, faults: readonly FieldError[]): Promise<undefined> {
    if (await this.organizations.exists({ _id, revision })) throw invalidContent(...faults);
    return undefined;
  }

  /** A PUT that adds no reference and keeps its name is one update; any other is a transaction. */
  private write(
    account: Account,
    record: OrganizationRecord,
    body: OrganizationInput,
    set: Partial<Organization> & Slugged & Pick<Organization, 'nameKey'>,
  ): Promise<OrganizationRecord | undefined> {
    const judged = { _id: record._id, revision: record.revision };
    const options = { projection: SHOWN_ORGANIZATION, returnDocument: 'after' } as const;
    const update = async (): Promise<OrganizationRecord | undefined> =>
      (await this.organizations
        .findOneAndUpdate(judged, { $set: set, $inc: { revision: 1 } }, options)
        .lean<OrganizationRecord>()) ?? undefined;
    const { nameKey, slug, slugs } = set;
    const renamed = uniqueKey(record.name) !== nameKey;
    if (!renamed && !this.references.touched(record, body)) return update();
    return this.transactions.attempt(async () => {
      if (renamed && !(await rekey(this.organizations, judged, { nameKey, slug, slugs }))) return undefined;
      // First the record: one that changed is judged again, whatever became of its references.
      const written = await update();
      if (written) await this.references.replace(account, record._id, record, body);
      return written;
    });
  }

  /**
   * Writes an Organization under its name: the slugs of the name are free, and the name is unique.
   *
   * @param own its present slugs
   * @param check looks for faults again: whoever took the name may have taken the logo too, and faults come first
   */
  private writeNamed<T>(
    _id: Types.ObjectId,
    { name }: Described,
    write: (slugs: Slugged) => Promise<T>,
    { own, check }: { own?: Slugged; check?: () => Promise<FieldError[]> } = {},
  ): Promise<T> {
    const refuseTaken = async (): Promise<void> => {
      if (!(await this.organizations.exists({ nameKey: uniqueKey(name), _id: { $ne: _id } }))) return;
      const faults = (await check?.()) ?? [];
      throw faults.length > 0 ? invalidContent(...faults) : apiError('organizationNameTaken');
    };
    return writeUnderSlug({ model: this.organizations, name, fallback: SLUG_FALLBACK, own, write, refuseTaken });
  }
}

/** The fields that an Organization's description sets, with those that are made of it. */
export function describedFields({
  name,
  url,
  description,
}: Described): Described & Pick<Organization, 'nameKey' | 'searchText'> {
  return { name, nameKey: uniqueKey(name), url, description, searchText: searchText(name, url, description) };
}

function isSame(record: OrganizationRecord, body: OrganizationInput): boolean {
  return (
    record.name === body.name &&
    record.url === body.url &&
    record.description === body.description &&
    (record.organizationLogoFileId?.toHexString() ?? null) === body.organizationLogoFileId &&
    record.featuredApiIds.map(String).join() === body.featuredApiIds.join()
  );
}

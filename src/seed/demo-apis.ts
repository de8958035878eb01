import { Types } from 'mongoose';
import { Api, ApiSchema, LIFECYCLE_STATUSES } from '../apis/api.schema';
import { derivedFields } from '../database/derived-fields';
import { MAX_APIS, Organization } from '../organizations/organization.schema';
import { Kind, slugsOf } from './batches';
import { SeedError } from './options';
import type { Registry } from './registry';

/** An Organization that demo apis are given to. */
type Owner = Pick<Organization, '_id' | 'createdBy'>;

/** `Demo API 1` and so on, given to the demo Organizations in turn; two of three are public. */
export class DemoApis implements Kind {
  readonly batch = 200;

  /** @param owners the demo organizations, at least one when anything is to be added */
  constructor(
    private readonly registry: Pick<Registry, 'organizations' | 'apis' | 'transactions'>,
    private readonly owners: readonly Owner[],
  ) {}

  /** By slug: it is unique among all APIs and stays when the name changes. */
  async missing(numbers: readonly number[]): Promise<number[]> {
    const apis = await this.registry.apis.find({ 'slugs.text': { $in: numbers.map(slugOf) } }, { slugs: 1 }).lean();
    const taken = new Set(apis.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
    return numbers.filter((number) => !taken.has(slugOf(number)));
  }

  /** The Organizations count their APIs in the transaction that adds them. */
  async add(numbers: readonly number[]): Promise<void> {
    if (this.owners.length === 0) throw new SeedError('APIs need Organizations: use --organizations 1 or more.');
    const apis = numbers.map((number) => this.api(number));
    await this.registry.transactions.run(async () => {
      for (const [id, count] of counted(apis)) await this.count(new Types.ObjectId(id), count);
      await this.registry.apis.insertMany(apis);
    });
  }

  private async count(_id: Types.ObjectId, count: number): Promise<void> {
    const filter = { _id, apiCount: { $lte: MAX_APIS - count } };
    const written = await this.registry.organizations.updateOne(filter, {
      $inc: { apiCount: count, referenceCount: 1 },
    });
    if (written.matchedCount === 1) return;
    throw new SeedError(`An Organization has at most ${MAX_APIS} APIs: use more --organizations.`);
  }

  private api(number: number): Partial<Api> & Pick<Api, 'organizationId'> {
    const now = new Date();
    const owner = this.owners[(number - 1) % this.owners.length]!;
    const fields = {
      name: `Demo API ${number}`,
      url: `https://api-${number}.example/v1`,
      description: `Number ${number} of the demo APIs.`,
      lifecycleStatus: LIFECYCLE_STATUSES[number % LIFECYCLE_STATUSES.length]!,
      isPublic: number % 3 !== 0,
      documentationUrl: `https://api-${number}.example/docs`,
    };
    const owned = { organizationId: owner._id, createdBy: owner.createdBy };
    const slugs = slugsOf(slugOf(number));
    return { ...owned, ...fields, ...derivedFields(ApiSchema, fields), ...slugs, createdAt: now, updatedAt: now };
  }
}

/** The demo organizations that are there, in the order of their making. */
export function demoOwners({ organizations }: Pick<Registry, 'organizations'>): Promise<Owner[]> {
  return organizations
    .find({ nameKey: { $regex: '^demo organization [0-9]+$' } }, { createdBy: 1 })
    .sort({ _id: 1 })
    .lean();
}

function counted(apis: readonly Pick<Api, 'organizationId'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { organizationId } of apis) {
    const id = organizationId.toHexString();
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function slugOf(number: number): string {
  return `demo-api-${number}`;
}

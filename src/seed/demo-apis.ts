import { Types } from 'mongoose';
import { Api, LIFECYCLE_STATUSES } from '../apis/api.schema';
import { describedFields } from '../apis/named-api';
import { MAX_APIS, Organization } from '../organizations/organization.schema';
import { Kind, slugsOf } from './batches';
import { SeedError } from './options';
import type { Registry } from './registry';

/** An Organization that demo apis are given to. */
type Owner = Pick<Organization, '_id' | 'createdBy'>;

/** Demo apis: `Demo Api 1`, and so on, given to the demo organizations in turn; two of three are public. */
export class DemoApis implements Kind {
  readonly batch = 200;

  /** @param owners the demo organizations, at least one when anything is to be added */
  constructor(
    private readonly registry: Pick<Registry, 'organizations' | 'apis' | 'transactions'>,
    private readonly owners: readonly Owner[],
  ) {}

  /** By slug: it is unique over all Apis, whoever owns them, and stays when the name is changed. */
  async missing(numbers: readonly number[]): Promise<number[]> {
    const apis = await this.registry.apis.find({ 'slugs.text': { $in: numbers.map(slugOf) } }, { slugs: 1 }).lean();
    const taken = new Set(apis.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
    return numbers.filter((number) => !taken.has(slugOf(number)));
  }

  /** The Organizations count their Apis in the transaction that adds them, and are written by it. */
  async add(numbers: readonly number[]): Promise<void> {
    if (this.owners.length === 0) throw new SeedError('Apis need Organizations: give --organizations 1 or more.');
    const apis = numbers.map((number) => this.api(number));
    await this.registry.transactions.run(async () => {
      for (const [id, count] of counted(apis)) await this.count(new Types.ObjectId(id), count);
      await this.registry.apis.insertMany(apis);
    });
  }

  private async count(_id: Types.ObjectId, count: number): Promise<void> {
    const judged = { _id, apiCount: { $lte: MAX_APIS - count } };
    const written = await this.registry.organizations.updateOne(judged, {
      $inc: { apiCount: count, referenceCount: 1 },
    });
    if (written.matchedCount === 1) return;
    throw new SeedError(`An Organization holds at most ${MAX_APIS} Apis: give more --organizations.`);
  }

  private api(number: number): Api {
    const now = new Date();
    const owner = this.owners[(number - 1) % this.owners.length]!;
    return {
      _id: new Types.ObjectId(),
      ...{ organizationId: owner._id, createdBy: owner.createdBy },
      ...describedFields({
        name: `Demo Api ${number}`,
        url: `https://api-${number}.example/v1`,
        description: `Number ${number} of the demo apis.`,
        lifecycleStatus: LIFECYCLE_STATUSES[number % LIFECYCLE_STATUSES.length]!,
        isPublic: number % 3 !== 0,
        documentationUrl: `https://api-${number}.example/docs`,
      }),
      ...slugsOf(slugOf(number)),
      ...{ referenceCount: 0, revision: 0, createdAt: now, updatedAt: now },
    };
  }
}

/** The demo organizations that are there, in the order of their making. */
export function demoOwners({ organizations }: Pick<Registry, 'organizations'>): Promise<Owner[]> {
  return organizations
    .find({ nameKey: { $regex: '^demo organization [0-9]+$' } }, { createdBy: 1 })
    .sort({ _id: 1 })
    .lean();
}

function counted(apis: readonly Api[]): Map<string, number> {
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

import { Types } from 'mongoose';
import { uniqueKey } from '../validation/case-fold';
import type { Organization } from '../organizations/organization.schema';
import { describedFields } from '../organizations/organizations.service';
import { Kind, slugsOf } from './batches';
import { SeedError } from './options';
import type { Registry } from './registry';

/** Demo organizations: `Demo Organization 1`, and so on, managed by demo users in turn, two each. */
export class DemoOrganizations implements Kind {
  readonly batch = 200;

  /** @param managers the demo users, at least one when anything is to be added */
  constructor(
    private readonly registry: Pick<Registry, 'users' | 'organizations' | 'transactions'>,
    private readonly managers: readonly Types.ObjectId[],
  ) {}

  async missing(numbers: readonly number[]): Promise<number[]> {
    const names = numbers.map((number) => uniqueKey(nameOf(number)));
    const texts = numbers.map(slugOf);
    const taken = new Set<string>();
    for (const filter of [{ nameKey: { $in: names } }, { 'slugs.text': { $in: texts } }]) {
      const organizations = await this.registry.organizations.find(filter, { nameKey: 1, slugs: 1 }).lean();
      for (const { nameKey, slugs } of organizations)
        [nameKey, ...slugs.map(({ text }) => text)].forEach((key) => taken.add(key));
    }
    return numbers.filter((_, index) => !taken.has(names[index]!) && !taken.has(texts[index]!));
  }

  /** Who refers to a user writes that user in the same transaction (src/database/references.ts). */
  async add(numbers: readonly number[]): Promise<void> {
    if (this.managers.length === 0)
      throw new SeedError('Organizations need Users to manage them: give --users 1 or more.');
    const organizations = numbers.map((number) => this.organization(number));
    const referred = organizations.flatMap(({ managers }) => managers.map(({ _id }) => _id.toHexString()));
    const ids = [...new Set(referred)].map((id) => new Types.ObjectId(id));
    await this.registry.transactions.run(async () => {
      const linked = await this.registry.users.updateMany({ _id: { $in: ids } }, { $inc: { referenceCount: 1 } });
      if (linked.matchedCount < ids.length) throw new SeedError('A demo user was deleted meanwhile; run this again.');
      await this.registry.organizations.insertMany(organizations);
    });
  }

  private organization(number: number): Organization {
    const now = new Date();
    const managers = this.managersOf(number);
    const createdBy = managers[0]!;
    return {
      _id: new Types.ObjectId(),
      ...describedFields({
        name: nameOf(number),
        url: `https://organization-${number}.example`,
        description: `Number ${number} of the demo organizations.`,
      }),
      ...slugsOf(slugOf(number)),
      managers: managers.map((_id) => ({ _id, createdBy, createdAt: now })),
      ...{ featuredApiIds: [], organizationLogoFileId: null, apiCount: 0, createdBy },
      ...{ referenceCount: 0, revision: 0, createdAt: now, updatedAt: now },
    };
  }

  private managersOf(number: number): Types.ObjectId[] {
    const { length } = this.managers;
    const places = new Set([(number - 1) % length, number % length]);
    return [...places].map((place) => this.managers[place]!);
  }
}

function nameOf(number: number): string {
  return `Demo Organization ${number}`;
}

function slugOf(number: number): string {
  return `demo-organization-${number}`;
}

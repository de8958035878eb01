import { Types } from 'mongoose';
import { derivedFields } from '../database/derived-fields';
import { Organization, OrganizationSchema } from '../organizations/organization.schema';
import { uniqueKey } from '../validation/case-fold';
import { Kind, slugsOf } from './batches';
import { SeedError } from './options';
import type { Registry } from './registry';

/** `Demo Organization 1` and so on, each managed by two of the demo Users in turn. */
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

  /** A new reference also writes the User that it names, in the same transaction (docs/adr/0002). */
  async add(numbers: readonly number[]): Promise<void> {
    if (this.managers.length === 0)
      throw new SeedError('Organizations need Users to manage them: use --users 1 or more.');
    const organizations = numbers.map((number) => this.organization(number));
    const referred = organizations.flatMap(({ managers }) => managers.map(({ _id }) => _id.toHexString()));
    const ids = [...new Set(referred)].map((id) => new Types.ObjectId(id));
    await this.registry.transactions.run(async () => {
      const linked = await this.registry.users.updateMany({ _id: { $in: ids } }, { $inc: { referenceCount: 1 } });
      if (linked.matchedCount < ids.length) throw new SeedError('A demo User was deleted meanwhile. Run this again.');
      await this.registry.organizations.insertMany(organizations);
    });
  }

  private organization(number: number): Partial<Organization> & Pick<Organization, 'managers'> {
    const now = new Date();
    const ids = this.managersOf(number);
    const createdBy = ids[0]!;
    const managers = ids.map((_id) => ({ _id, createdBy, createdAt: now }));
    const fields = {
      name: nameOf(number),
      url: `https://organization-${number}.example`,
      description: `Number ${number} of the demo Organizations.`,
    };
    const derived = { ...derivedFields(OrganizationSchema, fields), ...slugsOf(slugOf(number)) };
    return { ...fields, ...derived, managers, createdBy, createdAt: now, updatedAt: now };
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

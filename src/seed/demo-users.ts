import { Model, Types } from 'mongoose';
import { derivedFields } from '../database/derived-fields';
import { User, UserSchema } from '../users/user.schema';
import { uniqueKey } from '../validation/case-fold';
import type { Kind } from './batches';

const COMPANIES = ['Analytical Engines Ltd', 'Nets & Sons', 'Fjord Freight', 'Écluse Logiciels', 'Kiln Works'];

/** `demo-user-1` and so on. */
export class DemoUsers implements Kind {
  readonly batch = 1000;

  /** @param passwordHash of the password that all of them log in with */
  constructor(
    private readonly users: Model<User>,
    private readonly passwordHash: string,
  ) {}

  async missing(numbers: readonly number[]): Promise<number[]> {
    const names = numbers.map((number) => uniqueKey(usernameOf(number)));
    const addresses = numbers.map((number) => uniqueKey(emailOf(number)));
    const taken = new Set<string>();
    for (const filter of [{ usernameKey: { $in: names } }, { emailKey: { $in: addresses } }]) {
      const users = await this.users.find(filter, { usernameKey: 1, emailKey: 1 }).lean();
      for (const { usernameKey, emailKey } of users) taken.add(usernameKey).add(emailKey);
    }
    return numbers.filter((_, index) => !taken.has(names[index]!) && !taken.has(addresses[index]!));
  }

  async add(numbers: readonly number[]): Promise<void> {
    await this.users.insertMany(numbers.map((number) => this.user(number)));
  }

  /** The ids of all demo Users, in the order of creation. */
  async ids(): Promise<Types.ObjectId[]> {
    const users = await this.users
      .find({ usernameKey: { $regex: '^demo-user-[0-9]+$' } }, { _id: 1 })
      .sort({ _id: 1 })
      .lean();
    return users.map(({ _id }) => _id);
  }

  private user(number: number): Partial<User> {
    const now = new Date();
    const companyName = COMPANIES[number % COMPANIES.length]!;
    const fields = { username: usernameOf(number), companyName, email: emailOf(number) };
    const { passwordHash } = this;
    return { ...fields, ...derivedFields(UserSchema, fields), passwordHash, createdAt: now, updatedAt: now };
  }
}

function usernameOf(number: number): string {
  return `demo-user-${number}`;
}

function emailOf(number: number): string {
  return `${usernameOf(number)}@roster.example`;
}

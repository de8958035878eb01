import type { Model } from 'mongoose';
import type { User, UserRecord } from './user.schema';

/** A User with what a login compares, and whether their e-mail address may name them. */
export type NamedUser = UserRecord & Pick<User, 'passwordHash' | 'emailSetByAdmin' | 'knownAddresses'>;

/** What is read of a User besides what responses show. */
export const INTERNAL = '+passwordHash +emailSetByAdmin +knownAddresses';

/** The most keys of one read. */
const MAX_BATCH = 500;

interface Batch {
  readonly keys: Set<string>;
  readonly users: Promise<Map<string, NamedUser>>;
}

/**
 * Finds Users by a unique key, with one read at a time: what is asked for meanwhile goes out together in the next one.
 * So a flood of logins neither takes all connections to the database nor costs it a read per login.
 * Never inside a transaction: a read runs in the async context of its first caller, so it names no session.
 */
export class UserReader {
  private batch: Batch | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly users: Model<User>,
    private readonly field: 'usernameKey' | 'emailKey',
  ) {}

  async find(key: string): Promise<NamedUser | undefined> {
    if (!this.batch || this.batch.keys.size >= MAX_BATCH) this.batch = this.open();
    this.batch.keys.add(key);
    return (await this.batch.users).get(key);
  }

  private open(): Batch {
    const keys = new Set<string>();
    const users = this.running.then(() => {
      if (this.batch?.keys === keys) this.batch = undefined;
      return this.read([...keys]);
    });
    this.running = users.catch(() => undefined);
    return { keys, users };
  }

  private async read(keys: string[]): Promise<Map<string, NamedUser>> {
    const { field } = this;
    const filter = { [field]: keys.length === 1 ? keys[0] : { $in: keys } };
    const found = await this.users.find(filter, null, { session: null }).select(`${INTERNAL} +${field}`).lean();
    return new Map(found.map(({ [field]: key, ...user }) => [key, user as NamedUser]));
  }
}

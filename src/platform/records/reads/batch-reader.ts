import { Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { findInOneBatch, repeatRead } from '../driver/find';
import { SharedReads } from './shared-reads';
import { valuesAt } from '../schema/values-at';

/** Keys per command: so many of the largest records, Organizations with 500 Managers, fit in one reply. */
const MAX_KEYS = 100;

/** Reads the records of one Model by a unique field, many at a time. Never in a transaction. */
export class BatchReader<R> {
  /** The keys that wait for the next read; those of a failed one, too. */
  private keys = new Set<string>();
  private readonly reads = new SharedReads();

  /**
   * @param projection the fields to read, with `field`; as MongoDB takes it
   * @param field `_id`, or an indexed string field whose values are unique, also one of embedded records:
   * `apiKeys.hash`
   */
  constructor(
    private readonly model: AnyModel,
    private readonly projection: object,
    private readonly field: string,
  ) {}

  /** @returns the record, which others may have got too. @throws the error of the read, or of the one before it */
  async find(key: string): Promise<R | undefined> {
    this.keys.add(key);
    return (await this.reads.run('', () => this.readKeys())).get(key);
  }

  private async readKeys(): Promise<Map<string, R>> {
    const { model, projection, field } = this;
    const keys = [...this.keys];
    this.keys = new Set();
    const found = new Map<string, R>();
    for (let start = 0; start < keys.length; start += MAX_KEYS) {
      const some = keys.slice(start, start + MAX_KEYS);
      const values = field === '_id' ? some.map((key) => new Types.ObjectId(key)) : some;
      const filter = { [field]: values.length === 1 ? values[0] : { $in: values } };
      const find = { filter, projection, limit: values.length };
      for (const record of await repeatRead(() => findInOneBatch<object>(model, find))) {
        for (const value of valuesAt(record, field)) found.set(String(value), record as R);
      }
    }
    return found;
  }
}

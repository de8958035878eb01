import { setImmediate } from 'node:timers/promises';
import { Types } from 'mongoose';
import type { AnyModel } from './any-model';
import { type FindCommand, findInOneBatch } from './find-in-one-batch';
import { repeatRead } from './repeat-read';
import { valuesAt } from './values-at';

/** Keys per command: so many of the largest records, Organizations with 500 Managers, fit in one reply. */
const MAX_KEYS = 100;

/**
 * Reads the records of one Model by a unique field, with one read at a time: what is asked for meanwhile goes out
 * together in the next one. So a flood of requests neither takes all connections to the database nor costs it a read
 * each. A read is never part of a transaction.
 */
export class BatchReader<R> {
  /** The keys that wait for the next read. */
  private keys = new Set<string>();
  private next: Promise<Map<string, R>> | undefined;
  private running: Promise<unknown> | undefined;

  /**
   * @param projection the fields to read, with `field`; as MongoDB takes it
   * @param field `_id`, or an indexed string field whose values are unique, also one of embedded records:
   * `apiKeys.hash`
   */
  constructor(
    private readonly model: AnyModel,
    private readonly projection: object,
    private readonly field: string = '_id',
    private readonly options: Pick<FindCommand, 'readConcern'> = {},
  ) {}

  /** @returns the record, which others may have got too. @throws the error of the read, or of the one before it */
  async find(key: string): Promise<R | undefined> {
    this.keys.add(key);
    this.next ??= this.readNext();
    return (await this.next).get(key);
  }

  private async readNext(): Promise<Map<string, R>> {
    const { keys, running } = this;
    try {
      await running;
      // After all requests that have arrived in this turn of the event loop.
      await setImmediate();
    } finally {
      [this.keys, this.next] = [new Set(), undefined];
    }
    const reading = this.read([...keys]);
    const end = (): void => (this.running = undefined);
    void reading.then(end, end);
    this.running = reading;
    return reading;
  }

  private async read(keys: string[]): Promise<Map<string, R>> {
    const { model, projection, field, options } = this;
    const found = new Map<string, R>();
    for (let start = 0; start < keys.length; start += MAX_KEYS) {
      const some = keys.slice(start, start + MAX_KEYS);
      const values = field === '_id' ? some.map((key) => new Types.ObjectId(key)) : some;
      const filter = { [field]: values.length === 1 ? values[0] : { $in: values } };
      const find = { ...options, filter, projection, limit: values.length };
      for (const record of await repeatRead(() => findInOneBatch<object>(model, find))) {
        for (const value of valuesAt(record, field)) found.set(String(value), record as R);
      }
    }
    return found;
  }
}

import { Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { timeLimits } from '../driver/connection-options';

/** Ids from a bound to another one. */
export type IdRange = Readonly<Partial<Record<'$gt' | '$gte' | '$lt' | '$lte', Types.ObjectId>>>;

/** Records between two boundaries. */
const STEP = 50;

/** The most ids of a read. If a range may have more, a shorter one is read. */
const CHUNK = 20_000;

/** Shortest pause between two samples (ms). */
const PAUSE_MS = 10_000;

/**
 * Every fiftieth id of a collection. A boundary only says how far to read for a page: records that were added or deleted
 * since then never make one wrong.
 */
export class PageBoundaries {
  private sampled: string[] = [];
  private sampledAt = 0;
  private sampling: Promise<void> = Promise.resolve();

  constructor(private readonly model: AnyModel) {}

  /** An id with some more than `count` records between it and `after`, in an order; undefined when none is known. */
  async after(after: string | undefined, count: number, order: 1 | -1): Promise<Types.ObjectId | undefined> {
    // Many pages of a large collection without boundaries would take far longer than one sample.
    if (this.sampled.length === 0) await this.sample();
    const steps = Math.ceil(count / STEP);
    const next = after === undefined ? 0 : this.sampled.findIndex((id) => id > after);
    const last = after === undefined ? this.sampled.length - 1 : this.sampled.findLastIndex((id) => id < after);
    const end = order === 1 ? next !== -1 && this.sampled[next + steps] : this.sampled[last - steps];
    // From the last record on, those that are new since the last sample are read, too.
    if (!end || (order === -1 && after === undefined)) void this.sample();
    return end ? new Types.ObjectId(end) : undefined;
  }

  /** Samples the ids after the last boundary, once at a time. If that fails, pages are read without boundaries. */
  sample(): Promise<void> {
    if (Date.now() < this.sampledAt + PAUSE_MS) return this.sampling;
    this.sampledAt = Infinity;
    const add = (ids: string[]): void => void (this.sampled = [...this.sampled, ...ids]);
    this.sampling = this.sampleAfter(this.sampled.at(-1))
      .then(add, () => undefined)
      .finally(() => (this.sampledAt = Date.now()));
    return this.sampling;
  }

  /**
   * Reads the ids of one range of time after the other, from now backwards. The next one is longer after few ids, and
   * shorter after too many or an error.
   */
  private async sampleAfter(last = '0'.repeat(24)): Promise<string[]> {
    const sampled: string[][] = [];
    let end = Math.ceil(Date.now() / 1000);
    let upTo = {};
    for (let seconds = 60; ;) {
      const start = Types.ObjectId.createFromTime(Math.max(0, end - seconds));
      const isLast = String(start) <= last;
      const $gt = isLast ? new Types.ObjectId(last) : start;
      const limit = seconds === 1 ? undefined : CHUNK;
      const ids = await this.readIds({ $gt, ...upTo }, limit).catch(async (error: unknown) => {
        if (seconds === 1) throw error;
        // Pages wait for the first sample, so it ends here if the database does not respond at all.
        await this.model.db.db!.command({ ping: 1 });
      });
      if (ids && ids.length !== limit) {
        sampled.unshift(ids.sort().filter((_id, index) => index % STEP === STEP - 1));
        if (isLast) return sampled.flat();
        [end, upTo] = [end - seconds, { $lte: start }];
        if (ids.length < CHUNK / 4) seconds *= 2;
      } else seconds = Math.ceil(seconds / 4);
    }
  }

  private async readIds(range: IdRange, limit: number | undefined): Promise<string[]> {
    const limits = { limit, batchSize: CHUNK, maxTimeMS: timeLimits.read };
    const options = { projection: { _id: 1 }, ...limits };
    return (await this.model.collection.find({ _id: range }, options).toArray()).map(({ _id }) => String(_id));
  }
}

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, Model, ProjectionType, Types } from 'mongoose';
import type { AnyModel } from './any-model';

/** The most ids that one read asks for. */
const MAX_BATCH = 200;

/** A read that waits for the end of the event loop's turn. */
interface Batch<R> {
  readonly ids: Set<string>;
  readonly records: Promise<Map<string, R>>;
}

/**
 * Reads the records of one Model by id: all reads in the same turn of the event loop go out as one `$in`.
 * For guards only, never inside a transaction: a batch runs in the async context of its first caller, so it names no
 * session.
 */
export class BatchReader<R> {
  private batch: Batch<R> | undefined;

  /** @param projection the fields to read; by default all that are not internal */
  constructor(
    private readonly model: AnyModel,
    private readonly projection?: ProjectionType<object>,
  ) {}

  /**
   * @param id 24 hexadecimal digits
   * @returns undefined when there is no such record
   */
  async find(id: string): Promise<R | undefined> {
    if (!this.batch || this.batch.ids.size >= MAX_BATCH) this.batch = this.open();
    this.batch.ids.add(id);
    return (await this.batch.records).get(id);
  }

  private open(): Batch<R> {
    const ids = new Set<string>();
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    return { ids, records: turn.then(() => this.read([...ids])) };
  }

  private async read(ids: string[]): Promise<Map<string, R>> {
    this.batch = undefined;
    const filter = { _id: ids.length === 1 ? ids[0] : { $in: ids } };
    const model = this.model as Model<{ _id: Types.ObjectId }>;
    const records = await model.find(filter, this.projection as object, { session: null }).lean();
    return new Map(records.map((record) => [record._id.toHexString(), record as unknown as R]));
  }
}

/** Reads records of any Model by id, in batches. */
@Injectable()
export class RecordLoader {
  private readonly readers = new Map<string, BatchReader<unknown>>();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * @param model the name of a Model, `User.name`
   * @param id 24 hexadecimal digits, or an ObjectId
   * @returns the record without its internal fields; undefined when there is none
   */
  async find<R>(model: string, id: string | Types.ObjectId): Promise<R | undefined> {
    const reader = this.readers.get(model) ?? new BatchReader<unknown>(this.connection.model<object>(model));
    this.readers.set(model, reader);
    return (await reader.find(String(id))) as R | undefined;
  }

  /** The Model of that name, for records that are not found by their own id. */
  model<T>(name: string): Model<T> {
    return this.connection.model<T>(name);
  }
}

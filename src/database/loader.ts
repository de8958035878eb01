import { Model, ProjectionType, Types } from 'mongoose';

/** The most ids that one read asks for. */
const MAX_BATCH = 200;

/**
 * Reads records by id for the guards: all that are asked for in one turn of the event loop come in one `$in`.
 * Nothing is kept past the turn. Not for use inside a transaction: a batch runs in the async context of whoever asked
 * first, so it names no session on purpose.
 */
export class Loader<R extends { _id: Types.ObjectId }> {
  private waiting = new Map<string, Promise<R | undefined>>();
  private batch: { ids: Types.ObjectId[]; found: Promise<Map<string, R>> } | undefined;

  /**
   * @param model whose records are read, as plain objects
   * @param projection the fields that every caller of this loader gets
   */
  constructor(
    private readonly model: Model<R>,
    private readonly projection: ProjectionType<R>,
  ) {}

  /** The record with this id (24 hexadecimal digits), or undefined. */
  load(id: string): Promise<R | undefined> {
    const asked = this.waiting.get(id);
    if (asked) return asked;
    const batch = this.openBatch();
    batch.ids.push(new Types.ObjectId(id));
    const answer = batch.found.then((records) => records.get(id));
    this.waiting.set(id, answer);
    return answer;
  }

  private openBatch(): { ids: Types.ObjectId[]; found: Promise<Map<string, R>> } {
    if (this.batch && this.batch.ids.length < MAX_BATCH) return this.batch;
    const ids: Types.ObjectId[] = [];
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.read(ids));
    this.batch = { ids, found };
    return this.batch;
  }

  private async read(ids: Types.ObjectId[]): Promise<Map<string, R>> {
    this.batch = undefined;
    this.waiting = new Map();
    const model = this.model as unknown as Model<{ _id: Types.ObjectId }>;
    const filter = { _id: ids.length === 1 ? ids[0] : { $in: ids } };
    const records = (await model.find(filter, this.projection as object, { session: null }).lean()) as unknown as R[];
    return new Map(records.map((record) => [record._id.toHexString(), record]));
  }
}

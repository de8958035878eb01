import { type Connection, Error as MongooseError, type Model, mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { buildIndexes } from '../../platform/records/start/index-build';
import {
  beginImport,
  endImport,
  forgetImport,
  VERSION_COLLECTION,
} from '../../platform/records/start/data-version';
import { messageOf } from '../../platform/base/errors/message-of';
import { checkData, Output } from '../check-data/check-data';
import { Progress } from '../progress';
import { BrokenLine, totalOf } from './format';
import { ExportFile, openExport, ReadRecord } from './read-export';

/** Limits of a batch in records, and roughly in bytes of the file. */
const BATCH = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Collections that are no part of the data: instances write them while they run. */
const NO_DATA: readonly string[] = [VERSION_COLLECTION, 'locks', 'health', 'rateLimits'];

const REPAIR = 'Nothing was imported. Keep the records with --keep, and correct them with a PUT or in the database.';

/** The arguments and options of the command. */
export interface ImportOptions {
  readonly file: string;
  /** Keeps records that break an invariant. */
  readonly keep: boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** The number of imported records and, with `keep`, of broken invariants. */
export interface ImportResult {
  readonly total: number;
  readonly broken: number;
}

/**
 * Reads an export into an empty database, builds all indexes and checks all invariants. If anything is wrong, the
 * database is empty afterwards, and no service starts on it before.
 * @throws StartError that says what is wrong, with the number of a broken line
 */
export async function importData(connection: Connection, options: ImportOptions): Promise<ImportResult> {
  const collections = Object.values(connection.models).map(({ collection }) => collection.name);
  const source = await openExport(options.file, new Set(collections));
  return new Import(connection, source, options).run();
}

class Import {
  private readonly progress: Progress;

  constructor(
    private readonly connection: Connection,
    private readonly source: ExportFile,
    private readonly options: ImportOptions,
  ) {
    this.progress = new Progress(options.output.progress, 'Records', totalOf(source.header));
  }

  async run(): Promise<ImportResult> {
    const { connection, options, source } = this;
    const { data, release } = source.header;
    await assertEmpty(connection);
    await beginImport(connection, { ...data, release });
    try {
      const broken = await this.fill();
      if (broken > 0 && !options.keep) throw new StartError(`Broken invariants: ${broken} (see above). ${REPAIR}`);
      options.signal.throwIfAborted();
      await endImport(connection);
      return { total: this.progress.total, broken };
    } catch (error) {
      const isEmpty = await this.undo();
      if (!options.signal.aborted) throw error;
      throw new StartError(isEmpty ? 'Stopped. The database is empty.' : 'Stopped.', { cause: error });
    }
  }

  private async fill(): Promise<number> {
    const { connection, options } = this;
    await buildIndexes(connection);
    const batch: ReadRecord[] = [];
    for await (const read of this.source.records) {
      if (batch[0] && isFull(batch, read)) await this.insert(batch.splice(0));
      batch.push(read);
    }
    if (batch.length > 0) await this.insert(batch);
    this.progress.end(`${this.progress.total} read`);
    options.signal.throwIfAborted();
    return checkData(connection, options.output);
  }

  private async insert(batch: readonly ReadRecord[]): Promise<void> {
    this.options.signal.throwIfAborted();
    const models = Object.values(this.connection.models) as Model<object>[];
    const model = models.find(({ collection }) => collection.name === batch[0]!.collection)!;
    const records: object[] = [];
    for (const read of batch) records.push(await toStored(model, read));
    try {
      await model.collection.insertMany(records, { ordered: true });
    } catch (error) {
      const [failed] = error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat() : [];
      const line = failed && batch[failed.index]?.line;
      if (!line) throw error;
      throw new BrokenLine(line, `cannot be stored: ${failed.errmsg ?? messageOf(error)}`);
    }
    this.progress.advance(batch.length);
  }

  /** Empties the database. If this fails too, the data still says that an import has begun. @returns whether it is empty */
  private async undo(): Promise<boolean> {
    try {
      await deleteRecords(this.connection);
      await forgetImport(this.connection);
      return true;
    } catch (error) {
      const problem = `✖ The records could not be removed: ${messageOf(error)}. No service starts on them.`;
      this.options.output.report.write(`${problem} Import into a new database.\n`);
      return false;
    }
  }
}

/** Decides that a batch is written before the next record is added. Its records are of one collection. */
function isFull(batch: readonly ReadRecord[], next: ReadRecord): boolean {
  const bytes = batch.reduce((sum, read) => sum + read.bytes, 0);
  return batch.length === BATCH || bytes > BATCH_BYTES || batch[0]!.collection !== next.collection;
}

/** Converts a record of a file to the types of the schema. */
async function toStored(model: Model<object>, read: ReadRecord): Promise<object> {
  const document = new model(read.record, undefined, { defaults: false, skipId: true, strict: false });
  await document.validate().catch((error: unknown) => {
    if (!(error instanceof MongooseError.ValidationError)) throw error;
    const problem = Object.values(error.errors)[0]!;
    throw new BrokenLine(read.line, `is not a record of ${read.collection}: ${problem.path}: ${problem.message}`);
  });
  return inOrderOf(read.record, document.toBSON()) as object;
}

/** `value` with the fields of objects in the order of `like`: Mongoose puts the `_id` of a subdocument first. */
function inOrderOf(like: unknown, value: unknown): unknown {
  if (Array.isArray(like) && Array.isArray(value)) return value.map((item, index) => inOrderOf(like[index], item));
  if (!isPlain(like) || !isPlain(value)) return value;
  const names = new Set([...Object.keys(like), ...Object.keys(value)].filter((name) => name in value));
  return Object.fromEntries([...names].map((name) => [name, inOrderOf(like[name], value[name])]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** @throws StartError when the database has records */
async function assertEmpty(connection: Connection): Promise<void> {
  for (const { name } of await connection.db!.listCollections({}, { nameOnly: true }).toArray()) {
    if (NO_DATA.includes(name) || name.startsWith('system.')) continue;
    if (!(await connection.collection(name).findOne({}, { projection: { _id: 1 } }))) continue;
    throw new StartError(
      `The database "${connection.name}" is not empty: there are records in ${name}. Import into a new database, before ` +
        'a service has started on it: set MONGODB_URI, or DATA_DIR for the embedded database. Nothing was imported.',
    );
  }
}

/** Removes the records of all Models. The indexes stay: an instance that runs relies on them. */
async function deleteRecords(connection: Connection): Promise<void> {
  for (const { collection } of Object.values(connection.models)) {
    await connection.collection(collection.name).deleteMany({});
  }
}

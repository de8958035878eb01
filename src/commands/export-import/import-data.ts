import { type Connection, Error as MongooseError, type Model, mongo } from 'mongoose';
import { StartError } from '../../platform/base/errors/start-error';
import { Database } from '../../platform/records/database';
import { beginImport, endImport, forgetImport, VERSION_COLLECTION } from '../../platform/records/start/data-version';
import { derivedFields } from '../../platform/records/schema/derived-fields';
import { buildIndexes } from '../../platform/records/start/index-build';
import { checkData, Output } from '../check-data/check-data';
import { Progress } from '../progress';
import { BrokenLine, totalOf } from './format';
import { openExport, ReadRecord } from './read-export';

/** Limits of a batch in records, and in bytes of the file. */
const BATCH = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Collections that are no part of the data: instances write them while they run. */
const NO_DATA: readonly string[] = [VERSION_COLLECTION, 'health'];

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
  const { header, records } = await openExport(options.file, connection);
  await assertEmpty(connection);
  await beginImport(connection);
  try {
    await buildIndexes(connection);
    const progress = new Progress(options.output.progress, 'Records', totalOf(header));
    for await (const batch of batchesOf(records)) {
      options.signal.throwIfAborted();
      await insert(connection, batch);
      progress.advance(batch.length);
    }
    progress.end(`${progress.total} read`);
    const broken = await checkData(new Database(connection), options.output);
    if (broken > 0 && !options.keep) throw new StartError(`Broken invariants: ${broken} (see above). ${KEEP}`);
    options.signal.throwIfAborted();
    await endImport(connection);
    return { total: progress.total, broken };
  } catch (error) {
    // If this fails, the data still says that an import has begun.
    await deleteRecords(connection);
    await forgetImport(connection);
    throw error;
  }
}

const KEEP = 'Nothing was imported. Keep the records with --keep, and correct them with a PUT or in the database.';

/** Records of one collection that are inserted together. */
async function* batchesOf(records: AsyncIterable<ReadRecord>): AsyncGenerator<ReadRecord[]> {
  let batch: ReadRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    const isFull = batch.length === BATCH || bytes > BATCH_BYTES || batch[0]?.collection !== record.collection;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += record.bytes;
  }
  if (batch.length > 0) yield batch;
}

async function insert(connection: Connection, batch: readonly ReadRecord[]): Promise<void> {
  const models = Object.values(connection.models) as Model<object>[];
  const model = models.find(({ collection }) => collection.name === batch[0]!.collection)!;
  const records: object[] = [];
  for (const read of batch) records.push(await toStored(model, read));
  try {
    await model.collection.insertMany(records, { ordered: true });
  } catch (error) {
    const [failed] = error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (!failed) throw error;
    // The database's message has the value, as that of mongoose: it may be a hash.
    const [, index] = /index: ([\w.]+)/.exec(failed.errmsg ?? '') ?? [];
    const problem = index ? `another record has its value in the unique index ${index}` : `error ${failed.code}`;
    throw new BrokenLine(batch[failed.index]!.line, `cannot be stored: ${problem}`);
  }
}

/** The record as this release stores it: an earlier one may have computed the derived fields in another way. */
async function toStored(model: Model<object>, { line, collection, record }: ReadRecord): Promise<object> {
  await model.validate(record).catch((error: unknown) => {
    if (!(error instanceof MongooseError.ValidationError)) throw error;
    const wrong = Object.entries(error.errors).map(([path, { kind = 'wrong type' }]) => `${path} (${kind})`);
    throw new BrokenLine(line, `is not a record of ${collection}: ${wrong.join(', ')}`);
  });
  return { ...record, ...derivedFields(model.schema, record) };
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
  for (const { collection } of Object.values(connection.models)) await collection.deleteMany({});
}

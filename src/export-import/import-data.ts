import { Connection, createConnection, mongo, Types } from 'mongoose';
import { checkData, Output } from '../check-data/check-data';
import { StartError } from '../config/start-error';
import type { AnyModel } from '../database/any-model';
import { connect } from '../database/connect';
import { connectionOptions } from '../database/connection-options';
import { buildIndexes, buildUniqueIndexes } from '../database/index-build';
import {
  beginImport,
  DATA_VERSION,
  endImport,
  forgetImport,
  ImportReplaced,
  refuseReplaced,
} from '../database/migrations/data-version';
import { migrate } from '../database/migrations/migrate';
import { withLock } from '../database/start-lock';
import { messageOf } from '../errors/message-of';
import { Progress } from '../progress';
import { deleteRecords, refuseRecords } from './empty-database';
import { BrokenLine, Header, totalOf } from './format';
import { ExportFile, openExport, ReadRecord } from './read-export';
import { toStored } from './to-stored';

/** At most this many records are written at once, */
const BATCH = 200;
/** and about this many characters of the file. */
const BATCH_LENGTH = 4 * 1024 * 1024;

/** What an import reads, and where it says how far it is. */
export interface ImportOptions {
  readonly file: string;
  /** Whether records stay that break an invariant. */
  readonly keep: boolean;
  readonly output: Output;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/**
 * Reads an export into an empty database, builds all indexes and checks all invariants. If anything is wrong, the database
 * is empty afterwards, and no service starts on it before.
 *
 * @param models of this release
 * @returns how many records it imported, and how many invariants are broken, with `keep`
 * @throws StartError that says what is wrong, with the number of a broken line
 */
export async function importData(
  uri: string,
  models: readonly AnyModel[],
  options: ImportOptions,
): Promise<{ total: number; broken: number }> {
  const source = await openExport(options.file, new Set(models.map(({ collection }) => collection.name)));
  // Building an index may take longer than an operation of a request.
  const connection = createConnection(uri, { ...connectionOptions, socketTimeoutMS: 0 });
  for (const { modelName, schema } of models) connection.model(modelName, schema);
  try {
    await connect(connection);
    const work = async (): Promise<{ total: number; broken: number }> => {
      const { importId } = await refuseRecords(connection);
      return new Import(connection, source, options).run(uri, importId);
    };
    return await withLock(connection, 'import', work, options.signal);
  } finally {
    await connection.close();
  }
}

class Import {
  private readonly id = new Types.ObjectId();
  private readonly models: readonly AnyModel[];
  private readonly byCollection: ReadonlyMap<string, AnyModel>;
  private readonly progress: Progress;

  constructor(
    private readonly connection: Connection,
    private readonly source: ExportFile,
    private readonly options: ImportOptions,
  ) {
    this.models = Object.values(connection.models);
    this.byCollection = new Map(this.models.map((model) => [model.collection.name, model]));
    this.progress = new Progress(options.output.progress, 'Records', totalOf(source.header));
  }

  /** @param replaced the import before this one, which may have been killed */
  async run(uri: string, replaced?: Types.ObjectId): Promise<{ total: number; broken: number }> {
    const { connection, id, models, options, source } = this;
    const { data, release } = source.header;
    await beginImport(connection, id, { ...data, release }, replaced);
    try {
      // What a killed import has left.
      await deleteRecords(connection);
      await buildUniqueIndexes(connection, models);
      await this.insertAll(source.header);
      await buildIndexes(connection, models, 'other');
      await migrate(connection, models);
      options.signal.throwIfAborted();
      const broken = await checkData(uri, models, 'off', options.output);
      if (broken > 0 && !options.keep) throw new StartError(brokenText(broken));
      options.signal.throwIfAborted();
      await endImport(connection, id);
      return { total: this.progress.total, broken };
    } catch (error) {
      this.progress.clear();
      await this.undo();
      throw options.signal.aborted ? new StartError('Stopped. The database is empty.', { cause: error }) : error;
    }
  }

  private async insertAll({ data }: Header): Promise<void> {
    let batch: ReadRecord[] = [];
    let length = 0;
    for await (const read of this.source.records) {
      const isOther = batch[0] && batch[0].collection !== read.collection;
      if (isOther || batch.length === BATCH || length > BATCH_LENGTH) {
        await this.insert(batch, data.version);
        [batch, length] = [[], 0];
      }
      batch.push(read);
      length += read.length;
    }
    if (batch.length > 0) await this.insert(batch, data.version);
    this.progress.end(`${this.progress.total} read`);
  }

  private async insert(batch: readonly ReadRecord[], version: number): Promise<void> {
    this.options.signal.throwIfAborted();
    const model = this.byCollection.get(batch[0]!.collection)!;
    const records: object[] = [];
    for (const read of batch) records.push(await toStored(model, read, version === DATA_VERSION));
    await refuseReplaced(this.connection, this.id);
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

  /**
   * Empties the database. If this fails too, it still says that an import has not finished.
   *
   * @throws ImportReplaced, and nothing is removed: the records are those of another import
   */
  private async undo(): Promise<void> {
    try {
      await refuseReplaced(this.connection, this.id);
      await deleteRecords(this.connection);
      await forgetImport(this.connection, this.id);
    } catch (error) {
      if (error instanceof ImportReplaced) throw error;
      const problem = `✖ The records could not be removed: ${messageOf(error)}. No service starts on them.`;
      this.options.output.report.write(`${problem} Run the import again.\n`);
    }
  }
}

function brokenText(broken: number): string {
  return (
    `Broken invariants: ${broken} (see above). Nothing was imported. Repair the exported database with npm run ` +
    'check:data -- --repair, and export again. If it is gone, keep the records with --keep, and repair them then.'
  );
}

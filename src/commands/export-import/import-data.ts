import { type Connection, mongo } from 'mongoose';
import { StartError } from '../../config/start-error';
import type { AnyModel } from '../../database/any-model';
import { buildIndexes, buildUniqueIndexes } from '../../database/index-build';
import { beginImport, DATA_VERSION, endImport, forgetImport } from '../../database/migrations/data-version';
import { migrate } from '../../database/migrations/migrate';
import { LockLost, Renew, withLock } from '../../database/start-lock';
import { messageOf } from '../../errors/message-of';
import { checkData, Output } from '../check-data/check-data';
import { clearLine, Progress } from '../progress';
import { assertEmpty, deleteRecords } from './empty-database';
import { BrokenLine, totalOf } from './format';
import { ExportFile, openExport, ReadRecord } from './read-export';
import { toStored } from './to-stored';

/** At most this many records are written at once, */
const BATCH = 200;
/** and about this many characters of the file. */
const BATCH_LENGTH = 4 * 1024 * 1024;

const BUSY =
  'Another import into this database is running. Wait for it; if it was killed, try again in ten seconds. Nothing was imported.';

/** Source and output of an import. */
export interface ImportOptions {
  readonly file: string;
  /** Whether records stay that break an invariant. */
  readonly keep: boolean;
  readonly output: Output;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** The number of imported records and, with `keep`, of broken invariants. */
export interface ImportResult {
  readonly total: number;
  readonly broken: number;
}

/**
 * Reads an export into an empty database, builds all indexes and checks all invariants. If anything is wrong, the database
 * is empty afterwards, and no service starts on it before.
 *
 * @param connection has the Models of this release
 * @throws StartError that says what is wrong, with the number of a broken line
 */
export async function importData(connection: Connection, options: ImportOptions): Promise<ImportResult> {
  const collections = Object.values(connection.models).map(({ collection }) => collection.name);
  const source = await openExport(options.file, new Set(collections));
  const work = async (renew: Renew): Promise<ImportResult> => {
    await assertEmpty(connection);
    return new Import(connection, source, options, renew).run();
  };
  return withLock(connection, 'import', work, BUSY);
}

class Import {
  private readonly models: readonly AnyModel[];
  private readonly byCollection: ReadonlyMap<string, AnyModel>;
  private readonly progress: Progress;

  /** @param renew is called before each change: after a pause, the records may be those of another import */
  constructor(
    private readonly connection: Connection,
    private readonly source: ExportFile,
    private readonly options: ImportOptions,
    private readonly renew: Renew,
  ) {
    this.models = Object.values(connection.models);
    this.byCollection = new Map(this.models.map((model) => [model.collection.name, model]));
    this.progress = new Progress(options.output.progress, 'Records', totalOf(source.header));
  }

  async run(): Promise<ImportResult> {
    const { connection, models, options, source } = this;
    const { data, release } = source.header;
    await this.renew();
    await beginImport(connection, { ...data, release });
    try {
      // A killed import may have left some.
      await deleteRecords(connection);
      await buildUniqueIndexes(connection, models);
      await this.insertAll();
      await buildIndexes(connection, models, 'other');
      await migrate(connection, models);
      options.signal.throwIfAborted();
      const broken = await checkData(connection, 'off', options.output);
      if (broken > 0 && !options.keep) throw new StartError(brokenText(broken));
      options.signal.throwIfAborted();
      await this.renew();
      await endImport(connection);
      return { total: this.progress.total, broken };
    } catch (error) {
      await this.undo();
      throw options.signal.aborted ? new StartError('Stopped. The database is empty.', { cause: error }) : error;
    }
  }

  private async insertAll(): Promise<void> {
    let batch: ReadRecord[] = [];
    let length = 0;
    for await (const read of this.source.records) {
      const isOther = batch[0] && batch[0].collection !== read.collection;
      if (isOther || batch.length === BATCH || length > BATCH_LENGTH) {
        await this.insert(batch);
        [batch, length] = [[], 0];
      }
      batch.push(read);
      length += read.length;
    }
    if (batch.length > 0) await this.insert(batch);
    this.progress.end(`${this.progress.total} read`);
  }

  private async insert(batch: readonly ReadRecord[]): Promise<void> {
    this.options.signal.throwIfAborted();
    const model = this.byCollection.get(batch[0]!.collection)!;
    const isCurrent = this.source.header.data.version === DATA_VERSION;
    const records: object[] = [];
    for (const read of batch) records.push(await toStored(model, read, isCurrent));
    await this.renew();
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

  /** Empties the database. If this fails too, the data still says that an import has not finished. */
  private async undo(): Promise<void> {
    try {
      await this.renew();
      await deleteRecords(this.connection);
      await forgetImport(this.connection);
    } catch (error) {
      if (error instanceof LockLost) throw error;
      clearLine(this.options.output.progress);
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

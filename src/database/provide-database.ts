import { Settings } from '../config/settings';
import { startEmbeddedDatabase } from './embedded/embedded-database';

/** The database that a service works on. */
export interface ProvidedDatabase {
  /** The settings, with the address of the database. */
  readonly settings: Settings;
  /** Stops what was started for the service. */
  readonly stop: () => Promise<void>;
  /** Rejects when the database ends although nobody stopped it. */
  readonly lost: Promise<never>;
}

/**
 * The server of `MONGODB_URI`, or else the embedded database, which is started.
 *
 * @throws DataDirInUse, EmbeddedDatabaseError: their messages tell a person what to do
 */
export async function provideDatabase(settings: Settings): Promise<ProvidedDatabase> {
  let lose: (reason: Error) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => (lose = reject));
  if (settings.mongodbUri !== undefined) return { settings, stop: () => Promise.resolve(), lost };
  const database = await startEmbeddedDatabase({
    dataDir: settings.dataDir,
    log: (line) => process.stderr.write(`${line}\n`),
    onLost: (reason) => lose(new Error(`The embedded database ended: ${reason}`)),
  });
  return {
    settings: Object.freeze({ ...settings, mongodbUri: database.uri }),
    stop: () => database.stop(),
    lost,
  };
}

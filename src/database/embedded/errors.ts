import { StartError } from '../../config/start-error';

/** The embedded database cannot be had. */
export class EmbeddedDatabaseError extends StartError {
  override readonly name: string = 'EmbeddedDatabaseError';
}

/** A live service already works on this data folder. */
export class DataDirInUse extends EmbeddedDatabaseError {
  override readonly name = 'DataDirInUse';

  /**
   * @param dataDir the folder that was asked for
   * @param pid the process that holds it
   */
  constructor(
    dataDir: string,
    readonly pid: number,
  ) {
    super(
      `Another Roster is running on the data folder ${dataDir} (process ${pid}). ` +
        `Stop it first (kill ${pid}), or give this one a folder of its own with DATA_DIR.`,
    );
  }
}

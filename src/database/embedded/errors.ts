/**
 * The embedded database cannot be had. The message is for the person at the terminal: what is wrong and what to do.
 * Whoever starts the service prints it and exits with 1; a stack trace would add nothing.
 */
export class EmbeddedDatabaseError extends Error {
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

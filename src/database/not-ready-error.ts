/** A reason why the service is not ready. */
export interface DatabaseProblem {
  /** Shown to callers. */
  readonly condition: 'database' | 'admin';
  /** For the log only: it can contain host names. */
  readonly reason: string;
}

/** The service cannot become ready until somebody changes something. */
export class NotReadyError extends Error implements DatabaseProblem {
  constructor(
    readonly condition: DatabaseProblem['condition'],
    readonly reason: string,
  ) {
    super(reason);
  }
}

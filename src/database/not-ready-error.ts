/** Why the service is not ready. The condition is shown to callers; the reason, which may name hosts, is only logged. */
export class NotReadyError extends Error {
  constructor(
    readonly condition: 'database' | 'admin',
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * Ends a start that is stopped before the service handles signals itself. main.ts imports this before anything else:
 * loading the other modules takes up to a second.
 */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const stop = (): never => process.exit(0);
for (const signal of SIGNALS) process.on(signal, stop);

/** From now on the service handles signals. */
export function leaveSignalsToService(): void {
  for (const signal of SIGNALS) process.off(signal, stop);
}

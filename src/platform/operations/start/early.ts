/**
 * What must happen before the other modules are loaded, which takes up to a second: main.ts imports this first. A start
 * that is stopped before the service handles signals itself ends.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const stop = (): never => process.exit(0);
for (const signal of SIGNALS) process.on(signal, stop);

// Compiled modules are kept in dist until the next build, which makes a start faster. Where
// the service may not write there, as in the image, nothing is kept.
enableCompileCache(join(__dirname, '../../../.compile-cache'));

/** Removes the signal handlers, once the service has its own. */
export function leaveSignalsToService(): void {
  for (const signal of SIGNALS) process.off(signal, stop);
}

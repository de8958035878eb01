import { setImmediate } from 'node:timers/promises';

/**
 * Lets equal reads share one, with one at a time. Callers that arrive during a read share the next one, so a result is
 * never older than its request, and a flood of requests neither takes all connections to the database nor costs it a
 * read each.
 */
export class SharedReads {
  /** By key: the reads that have not begun, and those that run. */
  private readonly next = new Map<string, Promise<unknown>>();
  private readonly running = new Map<string, Promise<unknown>>();

  /**
   * @param key the same for reads that have the same result
   * @param read its result goes to several callers, so none of them may change it
   * @throws the error of the read, or of the one before it
   */
  run<R>(key: string, read: () => Promise<R>): Promise<R> {
    const next = (this.next.get(key) as Promise<R> | undefined) ?? this.runNext(key, read);
    this.next.set(key, next);
    return next;
  }

  private async runNext<R>(key: string, read: () => Promise<R>): Promise<R> {
    try {
      await this.running.get(key);
      // After all requests that have arrived in this turn of the event loop.
      await setImmediate();
    } finally {
      this.next.delete(key);
    }
    const reading = read();
    this.running.set(key, reading);
    const end = (): void => void this.running.delete(key);
    void reading.then(end, end);
    return reading;
  }
}

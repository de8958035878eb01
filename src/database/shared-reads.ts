/** A read that runs, and the one after it, for those who have asked meanwhile. */
interface Running {
  readonly ended: Promise<void>;
  next?: Promise<unknown>;
}

/**
 * Lets equal reads share one. Callers that arrive during a read share the next one, so a result is never older than its
 * request, and many clients that open the same page at the same time cost the database two reads. With 50 connections a
 * list takes a third of the CPU time (docs/performance.md).
 */
export class SharedReads {
  private readonly running = new Map<string, Running>();

  /**
   * @param key the same for reads that have the same result
   * @param read its result goes to several callers, so none of them may change it
   */
  run<R>(key: string, read: () => Promise<R>): Promise<R> {
    const running = this.running.get(key);
    if (!running) return this.start(key, read);
    running.next ??= running.ended.then(() => this.start(key, read));
    return running.next as Promise<R>;
  }

  private start<R>(key: string, read: () => Promise<R>): Promise<R> {
    const reading = read();
    const end = (): void => {
      if (!running.next) this.running.delete(key);
    };
    const running: Running = { ended: reading.then(end, end) };
    this.running.set(key, running);
    return reading;
  }
}

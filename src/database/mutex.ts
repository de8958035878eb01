/** A FIFO mutex. */
export class Mutex {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when all current holders and waiters have released it. */
  get idle(): Promise<void> {
    return this.last;
  }

  /** @returns releases the mutex; to be called once */
  async acquire(): Promise<() => void> {
    const before = this.last;
    let release: () => void = () => undefined;
    this.last = new Promise<void>((resolve) => (release = resolve));
    await before;
    return release;
  }
}

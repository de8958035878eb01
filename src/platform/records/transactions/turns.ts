/** Lets writes of the same record run one after another, in the order in which they asked. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Waits until nobody has a turn for this record. @returns whether there was something to wait for */
  async areOver(record: string | undefined): Promise<boolean> {
    if (record === undefined || !this.last.has(record)) return false;
    while (this.last.has(record)) await this.last.get(record);
    return true;
  }

  /** Waits for all who asked before, as long as `waiting` does. @returns ends the turn; it may be called again */
  async take(record: string | undefined, waiting: (turn: Promise<void>) => Promise<void>): Promise<() => void> {
    if (record === undefined) return () => undefined;
    const before = this.last.get(record) ?? Promise.resolve();
    const own = Promise.withResolvers<void>();
    const turn = before.then(() => own.promise);
    this.last.set(record, turn);
    void turn.then(() => {
      if (this.last.get(record) === turn) this.last.delete(record);
    });
    await waiting(before).catch((error: unknown) => {
      own.resolve();
      throw error;
    });
    return own.resolve;
  }
}

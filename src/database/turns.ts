/** Lets writes of the same record run one after another, in the order in which they asked. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Whether a write of this record has its turn or waits for one. */
  areTaken(record: string | undefined): boolean {
    return record !== undefined && this.last.has(record);
  }

  /**
   * Waits for all who asked before.
   *
   * @param waiting waits no longer than the caller wants to
   * @returns ends the turn; to be called once
   */
  async take(record: string | undefined, waiting: (turn: Promise<void>) => Promise<void>): Promise<() => void> {
    if (record === undefined) return () => undefined;
    const before = this.last.get(record) ?? Promise.resolve();
    const own = Promise.withResolvers<void>();
    const turn = before.then(() => own.promise);
    this.last.set(record, turn);
    const end = (): void => {
      own.resolve();
      if (this.last.get(record) === turn) this.last.delete(record);
    };
    await waiting(before).catch((error: unknown) => {
      end();
      throw error;
    });
    return end;
  }
}

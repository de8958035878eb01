/** One's turn. */
export interface Turn {
  /** Lets the next one go on. */
  end(): void;
  /** Fulfilled when it is over. */
  readonly over: Promise<void>;
}

/** Lets one after another go on, in the order of asking. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits until all who asked before are done. */
  async next(): Promise<Turn> {
    const before = this.last;
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    this.last = over;
    await before;
    return { end, over };
  }
}
